import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import { definePrompt } from '../../../src/define/prompt.ts'
import { ToolError } from '../../../src/define/reply.ts'
import { defineResource } from '../../../src/define/resource.ts'
import { filterVisible } from '../../../src/mcp/visibility.ts'
import { createCall, createSettings, replyTo, toLogText } from './test-call.ts'

const secret = 'hunter2-Xq8LmZ4v'
const env = { API_KEY: secret }

let log: MockInstance<typeof console.error>
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

/** Gets a prompt and reads a resource whose author's code fails like this. */
function failBoth(fail: () => never) {
  const settings = createSettings({
    plan: definePrompt({ description: 'Plans.', messages: fail }),
    page: defineResource({ uri: 'it://page', mime: 'text/plain', read: fail }),
  })
  return [
    { method: 'prompts/get', params: { name: 'plan' }, name: 'plan' },
    { method: 'resources/read', params: { uri: 'it://page' }, name: 'it://page' },
  ].map(async ({ method, params, name }) => {
    const call = createCall(settings, method, params, { env })
    return { what: `${method} ${name}`, reply: await replyTo(call) }
  })
}

describe('a prompt or a resource that fails', () => {
  test('with a ToolError sends its message, without secrets', async () => {
    const both = failBoth(() => {
      throw new ToolError(`the key is ${secret}`)
    })
    for (const { reply } of await Promise.all(both)) {
      expect(JSON.parse(reply).error.message).toBe('the key is [secret]')
    }
    expect(log).not.toHaveBeenCalled()
  })

  test('with anything else sends an error id, and its log line has no secrets', async () => {
    const both = failBoth(() => {
      throw new Error('outer', { cause: new Error(secret) })
    })
    for (const { what, reply } of await Promise.all(both)) {
      expect(reply).not.toContain('outer')
      const [errorId = 'none'] = /[0-9a-f-]{36}/.exec(reply) ?? []
      const logged = log.mock.calls.filter(([line]) => String(line).includes(errorId))
      expect(toLogText(logged)).toContain(what)
      expect(toLogText(logged)).toContain('Caused by: Error: [secret]')
      expect(toLogText(logged)).not.toContain(secret)
    }
  })
})

test('a `visible` that fails hides its entry, which the log names without secrets', async () => {
  const plan = definePrompt({
    description: 'Plans.',
    visible: () => {
      throw new Error(secret)
    },
    messages: () => '',
  })
  const load = async () => ({ default: plan })
  const entry = { name: 'plan', scopes: [], conceal: false, conditional: true, load }
  const call = createCall(createSettings(), 'prompts/list', {}, { env })
  expect(await filterVisible([entry], call)).toEqual({ visible: [], isCertain: false })
  expect(toLogText(log.mock.calls)).toContain('visible of plan')
  expect(toLogText(log.mock.calls)).not.toContain(secret)
})
