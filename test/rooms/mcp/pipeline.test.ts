import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { definePrompt } from '../../../src/define/prompt.ts'
import { defineResource } from '../../../src/define/resource.ts'
import { defineTool } from '../../../src/define/tool.ts'
import { answer, createCall, createSettings } from './test-call.ts'
import { createWatchedWorker } from './watched-worker.ts'
import {
  type Fault,
  type Kind,
  completion,
  prompt,
  resource,
  rows,
  scopes,
  tool,
} from './work-kinds.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const description = 'An entry of this test.'
const writer = { subject: 'ann', scopes, claims: {} }
const env = { STATE_KEY: 'k'.repeat(43) }
const envelope = { clientCapabilities: { elicitation: { form: {} } } }

/** Sends a call that has these faults. */
async function send({ method, make, toParams }: Kind, faults: readonly string[]) {
  const has = (fault: Fault): boolean => faults.includes(fault)
  const watched = createWatchedWorker((note) => make(note, has), {
    isFull: has('no free place'),
    isUsedUp: has('a used-up limit'),
  })
  const changes = { env, envelope, ...(!has('a missing scope') && { caller: writer }) }
  const call = createCall(watched.settings, method, toParams(has), changes)
  return { ...watched, outcome: await answer(call) }
}

describe.each([
  ['a tool', tool],
  ['a prompt', prompt],
  ['a resource', resource],
  ['a completion', completion],
  ['the rows of a list', rows],
] as const)('%s', (_kind, kind) => {
  const faults = kind.rungs.map(({ fault }) => fault)

  test.each(kind.rungs)(
    'ends at $fault, whatever else is wrong',
    async ({ fault, steps, ends }) => {
      const sent = await send(kind, faults.slice(faults.indexOf(fault)))
      expect(JSON.stringify(sent.outcome)).toMatch(ends)
      expect(sent.steps).toEqual(steps)
    },
  )

  test.each(kind.rungs)('ends at $fault where nothing else is wrong', async ({ fault, ends }) => {
    const { outcome, steps } = await send(kind, [fault])
    expect(JSON.stringify(outcome)).toMatch(ends)
    const mayRun = fault === 'nothing' || kind === rows
    expect(mayRun || !steps.includes('run')).toBe(true)
  })
})

test.each([
  ['a completion', completion],
  ['the rows of a list', rows],
] as const)('%s has no rounds: what a client sends of them means nothing', async (...row) => {
  const [, { method, make, toParams }] = row
  const { settings } = createWatchedWorker((note) => make(note, () => false))
  const params = { ...toParams(() => false), requestState: 'made up', inputResponses: [] }
  const call = createCall(settings, method, params, { caller: writer })
  expect(await answer(call)).toMatchObject({ kind: 'result' })
})

test('a tool that is concealed from a caller is never imported', async () => {
  const secret = defineTool({ description, scopes, conceal: true, run: () => 'ran' })
  const { settings, steps } = createWatchedWorker(() => ({ secret }))
  const outcome = await answer(createCall(settings, 'tools/call', { name: 'secret' }))
  expect(outcome).toMatchObject({
    failure: { kind: 'invalid-params', why: 'Unknown tool: secret' },
  })
  expect(steps).toEqual([])
})

test('a header that does not match the arguments ends a call before its module is imported', async () => {
  const query = defineTool({
    description,
    input: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
    run: () => 'ran',
  })
  const { settings, steps } = createWatchedWorker(() => ({ query }))
  const params = { name: 'query', arguments: { region: 'eu' } }
  const headers = { 'Mcp-Param-Region': 'us' }
  const outcome = await answer(createCall(settings, 'tools/call', params, { headers }))
  expect(outcome).toMatchObject({ failure: { kind: 'header-mismatch' } })
  expect(steps).toEqual([])
})

test('a tool without `ask` refuses a forged state, too', async () => {
  const plain = defineTool({ description, run: () => 'ran' })
  const { settings } = createWatchedWorker(() => ({ plain }))
  const params = { name: 'plain', requestState: 'forged' }
  const outcome = await answer(createCall(settings, 'tools/call', params, { env }))
  expect(JSON.stringify(outcome)).toContain('Invalid or expired requestState')
})

describe("the time of an author's code", () => {
  afterEach(() => void vi.useRealTimers())

  test('begins after `visible` was asked', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const slowly = () => {
      vi.setSystemTime(Date.now() + 40_000)
      return true
    }
    const wait = async () => {
      await scheduler.wait(5)
      return 'done'
    }
    const settings = createSettings({
      plan: definePrompt({ description, visible: slowly, messages: wait }),
      text: defineResource({ uri: 'x://y', mime: 'text/plain', visible: slowly, read: wait }),
      tool: defineTool({ description, visible: slowly, run: wait }),
    })
    const sent = [
      createCall(settings, 'prompts/get', { name: 'plan' }),
      createCall(settings, 'resources/read', { uri: 'x://y' }),
      createCall(settings, 'tools/call', { name: 'tool' }),
    ]
    for (const call of sent) {
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await answer(call)
      expect(outcome).toMatchObject({ kind: 'result', members: expect.stringContaining('"done"') })
    }
  })

  test('a client that goes while `visible` is asked is no fault', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const never = () => new Promise<boolean>(() => {})
    const settings = createSettings({
      tool: defineTool({ description, visible: never, run: () => '' }),
    })
    const call = createCall(
      settings,
      'tools/call',
      { name: 'tool' },
      { signal: AbortSignal.timeout(5) },
    )
    expect(await answer(call)).toMatchObject({ failure: { kind: 'invalid-params' } })
    expect(log).not.toHaveBeenCalled()
  })
})
