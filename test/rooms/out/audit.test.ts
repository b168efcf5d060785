import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest'
import { type AuditSettings, createAudit } from '../../../src/out/audit.ts'
import { toErrorMembers, toStructuredMembers } from '../../../src/mcp/tool-result.ts'
import { createSanitizers } from '../../../src/out/sanitizer.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import type { MessageStream } from '../../../src/protocol/message.ts'
import type { Outcome } from '../../../src/protocol/outcome.ts'
import { toExchange } from '../exchange.ts'

const key = 'sk_live_0123456789'
const traceId = '0af7651916cd43dd8448eb211c80319c'

let log: MockInstance<typeof console.log>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  log = vi.spyOn(console, 'log').mockImplementation(() => {})
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Has one request answered under an audit, and reads the lines that it wrote. */
async function audit(
  params: JsonObject,
  answer: () => Outcome | Promise<Outcome>,
  { method = 'tools/call', ...settings }: AuditSettings & { method?: string } = {},
  more: object = {},
): Promise<JsonObject[]> {
  const env = { ...toExchange().env, API_KEY: key, ...more }
  const open = createSanitizers(Object.keys(toExchange().env))
  const message = { kind: 'request', id: 7, method, params } as const
  await createAudit(settings, open)(message, { env, callerDigest: 'digest' }, answer)
  return lines()
}

function lines(): JsonObject[] {
  return log.mock.calls.map(([line]) => JSON.parse(String(line)))
}

const result = (members: string): Outcome => ({ kind: 'result', members })
const done = (): Outcome => result(toStructuredMembers('{"é":1}', []))

test('a call is one line that says who, what and how, and nothing of its arguments', async () => {
  const params = {
    name: 'pay',
    arguments: { card: '4111' },
    _meta: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  }
  expect(await audit(params, done)).toEqual([
    {
      level: 'info',
      what: 'audit',
      id: 7,
      trace: traceId,
      caller: 'digest',
      method: 'tools/call',
      name: 'pay',
      outcome: 'complete',
      bytes: 76,
      ms: 0,
    },
  ])
})

test('nobody, and no trace, are not there', async () => {
  const message = { kind: 'request', id: 'a', method: 'tools/list', params: {} } as const
  const exchange = { env: toExchange().env, callerDigest: null }
  await createAudit({}, createSanitizers([]))(message, exchange, () => result(''))
  const expected = { id: 'a', method: 'tools/list', outcome: 'complete', bytes: 0, ms: 0 }
  expect(lines()).toEqual([{ level: 'info', what: 'audit', ...expected }])
})

test.each([
  ['a result', result('"content":[]'), { outcome: 'complete', bytes: 12 }],
  ['a tool error', result(toErrorMembers('No.')), { outcome: 'isError', bytes: 55 }],
  [
    'a value that looks like a tool error',
    result(toStructuredMembers('{"isError":true}', [])),
    { outcome: 'complete' },
  ],
  ['a question', { kind: 'input-required', members: '"a":1' }, { outcome: 'input_required' }],
  [
    'a failure',
    { kind: 'failure', failure: { kind: 'invalid-params', why: 'No such tool.' } },
    { outcome: 'invalid-params', bytes: 0 },
  ],
  [
    'a result that was kept',
    { kind: 'result', members: '', cached: { isHit: true, ageSeconds: 1, ttlMs: 60_000 } },
    { outcome: 'complete', cache: 'hit' },
  ],
  [
    'one that may be kept, and was made',
    { kind: 'result', members: '', cached: { isHit: false, ageSeconds: 0, ttlMs: 60_000 } },
    { outcome: 'complete', cache: 'miss' },
  ],
  [
    'a fault, with the id under which it is in the log',
    { kind: 'failure', failure: { kind: 'internal', errorId: 'e1' } },
    { outcome: 'internal', errorId: 'e1' },
  ],
] as const satisfies readonly (readonly [string, Outcome, object])[])(
  'says how it ended: %s',
  async (_, outcome, end) => {
    expect(await audit({ name: 'pay' }, () => outcome)).toEqual([expect.objectContaining(end)])
  },
)

test.each([
  ['prompts/get', { name: 'dinner' }, 'dinner'],
  ['resources/read', { uri: 'shop://catalog' }, 'shop://catalog'],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'dinner' } }, 'dinner'],
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'shop://{sku}' } }, 'shop://{sku}'],
  ['tools/list', { cursor: 'x' }, undefined],
  ['tools/call', { name: 5 }, undefined],
])('names what %s is about: %o', async (method, params, name) => {
  const [line] = await audit(params, done, { method })
  expect(line?.['name']).toBe(name)
})

test('the duration is that of what was waited for', async () => {
  vi.useFakeTimers()
  const answered = audit({ name: 'pay' }, async () => {
    await vi.advanceTimersByTimeAsync(1_250)
    return done()
  })
  expect(await answered).toEqual([expect.objectContaining({ ms: 1_250 })])
})

test('what is thrown is written down, and thrown on', async () => {
  const fail = (): never => {
    throw new Error('hunter2')
  }
  await expect(audit({ name: 'pay' }, fail)).rejects.toThrow('hunter2')
  await expect(audit({ name: 'pay' }, async () => fail())).rejects.toThrow('hunter2')
  expect(lines().map(({ outcome }) => outcome)).toEqual(['internal', 'internal'])
  expect(JSON.stringify(lines())).not.toContain('hunter2')
})

test('an answer that is there at once stays so', () => {
  const message = { kind: 'request', id: 1, method: 'tools/list', params: {} } as const
  const answered = createAudit({}, createSanitizers([]))(message, toExchange(), done)
  expect(answered).toEqual(done())
})

test('a stream is written down when it ends', async () => {
  const stream: MessageStream = {
    send: () => {},
    backlog: () => 0,
    signal: new AbortController().signal,
  }
  const listen = { kind: 'request', id: 1, method: 'subscriptions/listen', params: {} } as const
  const open = (run: () => Promise<{ members: string }>): Outcome | Promise<Outcome> =>
    createAudit({}, createSanitizers([]))(listen, toExchange(), () => ({ kind: 'stream', run }))
  const opened = await open(async () => ({ members: '"a":1' }))
  expect(lines()).toEqual([])
  if (opened.kind !== 'stream') throw new Error('The stream is gone.')
  expect(await opened.run(stream)).toEqual({ members: '"a":1' })
  const broken = await open(() => Promise.reject(new Error('cut off')))
  if (broken.kind !== 'stream') throw new Error('The stream is gone.')
  await expect(broken.run(stream)).rejects.toThrow('cut off')
  expect(lines().map(({ outcome, bytes }) => ({ outcome, bytes }))).toEqual([
    { outcome: 'complete', bytes: 5 },
    { outcome: 'internal', bytes: 0 },
  ])
})

test('arguments are there where they are asked for, with secrets masked', async () => {
  const params = { name: 'pay', arguments: { note: `the key is ${key}`, count: 2 } }
  const [line] = await audit(params, done, { arguments: true })
  expect(line?.['arguments']).toEqual({ note: 'the key is [secret]', count: 2 })
})

test('long texts are cut, and no secret is cut in two so that half of it is left', async () => {
  const params = { name: 'n'.repeat(250) + key, arguments: { a: 'x'.repeat(2_035) + key } }
  const [line] = await audit(params, done, { arguments: true })
  expect(line?.['name']).toBe(`${'n'.repeat(250)}[secre`)
  expect(line?.['arguments']).toHaveLength(2_048)
  expect(log.mock.calls[0]?.[0]).not.toContain('sk_')
})

test('a client writes no line of its own into the log', async () => {
  const name = 'pay\n{"what":"audit"}\x1b[2K\u202E'
  await audit({ name }, done)
  expect(log.mock.calls).toHaveLength(1)
  expect(log.mock.calls[0]?.[0]).not.toMatch(/[\p{Cc}\u202E]/u)
})

test('a dataset gets every line as a point', async () => {
  const points: unknown[] = []
  const POINTS = { writeDataPoint: (point: unknown) => void points.push(point) }
  await audit({ name: 'pay' }, done, { dataset: 'POINTS' }, { POINTS })
  expect(points).toEqual([
    {
      indexes: ['tools/call'],
      blobs: ['tools/call', 'pay', 'complete', 'digest', ''],
      doubles: [0, 76],
    },
  ])
})

test('a dataset that fails or is missing costs no request its reply', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const POINTS = {
    writeDataPoint() {
      throw new Error('full')
    },
  }
  await audit({ name: 'pay' }, done, { dataset: 'POINTS' }, { POINTS })
  await audit({ name: 'pay' }, done, { dataset: 'POINTS' })
  expect(warn.mock.calls.map(([line]) => String(line))).toEqual([
    expect.stringContaining('full'),
    expect.stringContaining('[[analytics_engine_datasets]]'),
  ])
  expect(lines()).toHaveLength(2)
})
