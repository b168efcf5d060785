import { expect, test, vi } from 'vitest'
import { attempt } from '../../../src/mcp/attempt.ts'
import { filterVisible } from '../../../src/mcp/visibility.ts'
import { definePrompt } from '../../../src/define/prompt.ts'
import { ToolError } from '../../../src/define/reply.ts'
import { toExchange } from '../exchange.ts'

const exchange = toExchange({ mask: (text) => text.replaceAll('hunter2', '[secret]') })

test('what a read or a prompt tells its client has no secret in it', async () => {
  const outcome = await attempt('prompts/get plan', exchange, () => {
    throw new ToolError('the key is hunter2')
  })
  expect(outcome).toMatchObject({ failure: { kind: 'failed', why: 'the key is [secret]' } })
})

test('nor has what they leave in the log', async () => {
  const line = await toLine(async () => {
    await attempt('prompts/get plan', exchange, () => {
      throw new Error('outer', { cause: 'hunter2' })
    })
  })
  expect(line).toContain('prompts/get plan')
  expect(line).toContain('Caused by: [secret]')
  expect(line).not.toContain('hunter2')
})

test('nor has a flag that cannot be read, and its entry is named', async () => {
  const plan = definePrompt({
    description: 'Plans.',
    visible: () => {
      throw new Error('hunter2')
    },
    messages: () => '',
  })
  const entry = { name: 'plan', scopes: [], conceal: false, conditional: true }
  const line = await toLine(async () => {
    const load = async () => ({ default: plan })
    expect(await filterVisible([{ ...entry, load }], exchange)).toEqual([])
  })
  expect(line).toContain('visible of plan')
  expect(line).not.toContain('hunter2')
})

async function toLine(work: () => Promise<void>): Promise<string> {
  const write = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await work()
  const [line] = write.mock.lastCall ?? []
  write.mockRestore()
  return String(line)
}
