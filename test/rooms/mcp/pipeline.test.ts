import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { defineTool } from '../../../src/define/tool.ts'
import { answer, createCall } from './test-call.ts'
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
