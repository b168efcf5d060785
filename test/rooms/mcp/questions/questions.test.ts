import * as z from 'zod'
import { beforeEach, expect, test, vi } from 'vitest'
import { carry } from '../../../../src/define/question.ts'
import { form, link } from '../../../../src/define/elicitation.ts'
import { sample } from '../../../../src/define/sampling.ts'
import { defineTool, type Tool } from '../../../../src/define/tool.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'
import type { Outcome } from '../../../../src/protocol/outcome.ts'
import { answer, createCall, createSettings, membersOf, toLogText } from '../test-call.ts'

const run = vi.fn<() => string>(() => 'done')
const readOnly = { readOnly: true } as const
const note = z.object({ note: z.string() })
const maxResultBytes = 100_000

function asks(ask: () => unknown): Tool {
  const tool = defineTool({ description: 'Asks.', hints: readOnly, ask: () => ({}), run })
  // as an author without types would have it
  return { ...tool, definition: Object.assign({ ...tool.definition }, { ask }) }
}

function call(
  tool: Tool,
  params: JsonObject = {},
  clientCapabilities: JsonObject = { elicitation: { form: {} } },
  callerDigest?: string,
): Promise<Outcome> {
  const settings = createSettings({ tool }, { maxResultBytes })
  const changes = {
    env: { STATE_KEY: 'k'.repeat(43) },
    envelope: { clientCapabilities },
    ...(callerDigest !== undefined && { callerDigest }),
  }
  return answer(createCall(settings, 'tools/call', { name: 'tool', ...params }, changes))
}

const errors = vi.spyOn(console, 'error')
const warnings = vi.spyOn(console, 'warn')
beforeEach(() => {
  run.mockClear()
  errors.mockReset().mockImplementation(() => {})
  warnings.mockReset().mockImplementation(() => {})
})

test.each([
  ['null', null],
  ['undefined', undefined],
  ['a promise of nothing', Promise.resolve()],
  ['a question that is none of ours', { confirm: { message: 'Sure?' } }],
])('a tool does not run when `ask` returns %s, and the log says why', async (_, returned) => {
  const outcome = await call(asks(() => returned))
  expect(membersOf(outcome)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('a fault on the server, not in your input') }],
  })
  expect(toLogText(errors.mock.calls)).toMatch(
    /`ask` returned .*not (an object of questions|a question)/,
  )
  expect(run).not.toHaveBeenCalled()
})

test('a state that was sealed for one caller opens for nobody else', async () => {
  const tool = asks(() => ({ note: form('Note?', note) }))
  const forms = { elicitation: { form: {} } }
  const { requestState } = membersOf(await call(tool, {}, forms, 'ann'))
  const inputResponses = { note: { action: 'accept', content: { note: 'hi' } } }
  const retry = (by?: string): Promise<Outcome> =>
    call(tool, { requestState, inputResponses }, forms, by)
  const refused = {
    kind: 'failure',
    failure: {
      kind: 'invalid-params',
      why: 'Invalid or expired requestState.',
      advice: 'Send the request again without it.',
    },
  }
  expect(await retry('bob')).toEqual(refused)
  expect(await retry()).toEqual(refused)
  expect(run).not.toHaveBeenCalled()
  expect(membersOf(await retry('ann'))).toMatchObject({ content: [{ text: 'done' }] })
})

test('questions that change every time end in an error, not in a loop', async () => {
  const never = asks(() => ({
    k: form(`Ref ${crypto.randomUUID()}?`, z.object({}), { unasked: 'accept' }),
  }))
  const outcome = await call(never, { inputResponses: { k: { action: 'accept', content: {} } } })
  expect(membersOf(outcome)).toMatchObject({ isError: true })
  expect(toLogText(errors.mock.calls)).toContain('Question "k" changes every time')
})

test('a carried value that is too long is named, since a shorter answer would not help', async () => {
  const outcome = await call(asks(() => ({ quote: carry('x'.repeat(9_000)), id: carry(7) })))
  const fault = 'its carried values are too long, above all "quote" with 9002 characters'
  expect(membersOf(outcome)).toMatchObject({
    isError: true,
    content: [
      { text: `tool was ended because of a fault on the server, not in your answers: ${fault}.` },
    ],
  })
  expect(toLogText(warnings.mock.calls)).toContain('At most 8192 characters fit once sealed, which')
})

test('an answer that is too long is named', async () => {
  const ask = (): unknown => ({
    short: form('Short?', note),
    long: form('Long?', note),
    page: carry(2),
  })
  const { requestState } = membersOf(await call(asks(ask)))
  const long = { action: 'accept', content: { note: 'x'.repeat(9_000) } }
  const outcome = await call(asks(ask), { requestState, inputResponses: { long } })
  expect(membersOf(outcome)).toMatchObject({
    isError: true,
    content: [
      { text: expect.stringMatching(/above all "long" with \d+ characters. Answer in fewer/) },
    ],
  })
})

test('more questions than fit are counted', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`q${n}`, form('?', note)]))
  const outcome = await call(asks(() => many))
  expect(JSON.stringify(membersOf(outcome))).toContain('it asks 200 questions at once')
})

test.each<[string, JsonObject, JsonObject]>([
  ['nothing', {}, { elicitation: { form: {}, url: {} }, sampling: {} }],
  ['forms', { elicitation: {} }, { elicitation: { url: {} }, sampling: {} }],
  ['sampling', { sampling: {} }, { elicitation: { form: {}, url: {} } }],
])('a client that can only do %s learns what it lacks, and nothing runs', async (...row) => {
  const [, clientCapabilities, missing] = row
  const tool = asks(() => ({
    note: form('Note?', note),
    visit: link('Visit.', 'https://pay.example.com/'),
    text: sample({ messages: [], maxTokens: 10 }),
  }))
  const outcome = await call(tool, {}, clientCapabilities)
  expect(outcome).toEqual({ kind: 'failure', failure: { kind: 'missing-capability', missing } })
  expect(run).not.toHaveBeenCalled()
})

const tools = [{ name: 'weather', inputSchema: { type: 'object' } }] as const

test.each<[object, JsonObject, JsonObject | null]>([
  [{ tools }, {}, { sampling: { tools: {} } }],
  [{ tools }, { sampling: {} }, { sampling: { tools: {} } }],
  [{ tools }, { sampling: { context: {} } }, { sampling: { tools: {} } }],
  [{ tools }, { sampling: { tools: {} } }, null],
  [{ toolChoice: { mode: 'none' } }, { sampling: {} }, { sampling: { tools: {} } }],
  [{ includeContext: 'allServers' }, { sampling: { tools: {} } }, { sampling: { context: {} } }],
  [{ includeContext: 'thisServer' }, { sampling: { context: {} } }, null],
  [{ includeContext: 'none' }, { sampling: {} }, null],
  [
    { tools, includeContext: 'thisServer' },
    { sampling: {} },
    { sampling: { tools: {}, context: {} } },
  ],
  [{}, { sampling: {} }, null],
])('sample(%j) for a client with %j lacks %j', async (options, clientCapabilities, missing) => {
  const ask = (): object => ({ text: sample({ messages: [], maxTokens: 10, ...options }) })
  const outcome = await call(asks(ask), {}, clientCapabilities)
  expect(outcome).toMatchObject(
    missing === null
      ? { kind: 'input-required' }
      : { kind: 'failure', failure: { kind: 'missing-capability', missing } },
  )
  expect(run).not.toHaveBeenCalled()
})

test('questions respect the size of a result', async () => {
  const asking = (length: number): Tool => asks(() => ({ k: form('x'.repeat(length), note) }))
  expect((await call(asking(maxResultBytes - 2_000))).kind).toBe('input-required')
  expect(membersOf(await call(asking(maxResultBytes)))).toMatchObject({
    isError: true,
    content: [
      { text: expect.stringContaining(`What tool asks has more than ${maxResultBytes} bytes`) },
    ],
  })
})
