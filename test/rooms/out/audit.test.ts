import { afterEach, beforeEach, expect, test, vi, type MockInstance } from 'vitest'
import {
  type AuditedCall,
  type AuditSettings,
  toAuditEnd,
  writeAudit,
} from '../../../src/out/audit.ts'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'
import { readTraceContext } from '../../../src/out/trace.ts'
import { type JsonObject, isJsonObject } from '../../../src/protocol/json.ts'
import type { FinalOutcome, HttpOutcome } from '../../../src/protocol/outcome.ts'

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

type Ended = FinalOutcome | HttpOutcome

interface AuditChanges extends AuditSettings {
  readonly method?: string
  readonly status?: number
  /** More of the call. */
  readonly call?: Partial<AuditedCall>
}

/** Writes the line of a call that ended like this, and reads all lines so far. */
function audit(params: JsonObject, outcome: Ended, changes: AuditChanges = {}): JsonObject[] {
  const { method = 'tools/call', status = 200, call, ...settings } = changes
  const sanitizer = createSanitizer([key])
  const audited: AuditedCall = {
    request: { method: 'POST', url: 'https://shop.example/mcp' },
    env: {},
    callerDigest: 'digest',
    id: 7,
    method,
    params,
    revision: null,
    trace: isJsonObject(params['_meta']) ? readTraceContext(params['_meta']) : null,
    began: Date.now(),
    log: new WorkerLog(sanitizer),
    sanitizer,
    ...call,
  }
  writeAudit(audited, settings, toAuditEnd(outcome, status))
  return lines()
}

function lines(): JsonObject[] {
  return log.mock.calls.map(([line]) => JSON.parse(String(line)))
}

const result = (members: string): FinalOutcome => ({ kind: 'result', members })
const done = result('"structuredContent":{"é":1}')

test('a call is one line with caller, method and outcome, and without its arguments', () => {
  const params = {
    name: 'pay',
    arguments: { card: '4111' },
    _meta: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  }
  expect(audit(params, done)).toEqual([
    {
      level: 'info',
      what: 'audit',
      id: 7,
      trace: traceId,
      caller: 'digest',
      method: 'tools/call',
      revision: '2026-07-28',
      name: 'pay',
      outcome: 'complete',
      status: 200,
      bytes: 28,
      ms: 0,
    },
  ])
})

test('an anonymous caller and an absent trace have no member', () => {
  const call = { id: 'a', callerDigest: null }
  const message = { id: 'a', method: 'tools/list', revision: '2026-07-28' }
  const expected = { ...message, outcome: 'complete', status: 200, bytes: 0 }
  expect(audit({}, result(''), { method: 'tools/list', call })).toEqual([
    { level: 'info', what: 'audit', ...expected, ms: 0 },
  ])
})

test('a request without a message has its HTTP method and path, never its query', () => {
  const request = { method: 'GET', url: `https://shop.example/mcp/x?key=${key}` }
  const outcome = {
    kind: 'failure',
    failure: { kind: 'not-found', path: '/mcp/x', endpoint: '/mcp' },
  } as const
  const call = { request, id: undefined, callerDigest: null }
  const expected = { method: 'GET /mcp/x', outcome: 'not-found', status: 404, bytes: 0, ms: 0 }
  expect(audit({}, outcome, { method: '', status: 404, call })).toEqual([
    { level: 'info', what: 'audit', ...expected },
  ])
})

test('a call that is made from a cache key has no HTTP method', () => {
  expect(audit({}, done, { method: '', call: { request: null } })).toMatchObject([{ method: '' }])
})

test.each([
  ['a result', result('"content":[]'), { outcome: 'complete', bytes: 12 }],
  [
    'a tool error',
    result('"content":[{"type":"text","text":"No."}],"isError":true'),
    { outcome: 'isError', bytes: 55 },
  ],
  [
    'a value that looks like a tool error',
    result('"content":[],"structuredContent":{"isError":true}'),
    { outcome: 'complete' },
  ],
  ['a question', { kind: 'input-required', members: '"a":1' }, { outcome: 'input_required' }],
  [
    'a failure',
    { kind: 'failure', failure: { kind: 'invalid-params', why: 'No such tool.' } },
    { outcome: 'invalid-params', bytes: 0 },
  ],
  [
    'a result that the cache had',
    { kind: 'result', members: '', cached: { isHit: true, ageSeconds: 1, ttlMs: 60_000 } },
    { outcome: 'complete', cache: 'hit' },
  ],
  [
    'a result that was made for the cache',
    { kind: 'result', members: '', cached: { isHit: false, ageSeconds: 0, ttlMs: 60_000 } },
    { outcome: 'complete', cache: 'miss' },
  ],
  [
    'a document that the cache had',
    {
      kind: 'http',
      status: 200,
      headers: {},
      body: '{"é":1}',
      cached: { isHit: true, ageSeconds: 1, ttlMs: 60_000 },
    },
    { outcome: 'complete', cache: 'hit', bytes: 8 },
  ],
  [
    'a list whose bytes are known',
    { kind: 'result', members: '"tools":[]', bytes: 12 },
    { outcome: 'complete', bytes: 12 },
  ],
  [
    'a fault of a tool, with the id under which it is in the log',
    { kind: 'result', members: '"content":[],"isError":true', errorId: 'e2' },
    { outcome: 'isError', errorId: 'e2' },
  ],
  [
    'a reply without a body',
    { kind: 'http', status: 202, headers: {}, body: null },
    { outcome: 'complete', bytes: 0 },
  ],
  [
    'a fault, with the id under which it is in the log',
    { kind: 'failure', failure: { kind: 'internal', errorId: 'e1' } },
    { outcome: 'internal', errorId: 'e1' },
  ],
] as const satisfies readonly (readonly [string, Ended, object])[])(
  'says how it ended: %s',
  (_, outcome, end) => {
    expect(audit({ name: 'pay' }, outcome)).toEqual([expect.objectContaining(end)])
  },
)

test.each([
  ['prompts/get', { name: 'dinner' }, 'dinner'],
  ['resources/read', { uri: 'shop://catalog' }, 'shop://catalog'],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'dinner' } }, 'dinner'],
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'shop://{sku}' } }, 'shop://{sku}'],
  ['tools/list', { cursor: 'x' }, undefined],
  ['tools/call', { name: 5 }, undefined],
])('names what %s is about: %o', (method, params, name) => {
  const [line] = audit(params, done, { method })
  expect(line?.['name']).toBe(name)
})

test('the duration counts from the beginning of the call', () => {
  const call = { began: Date.now() - 1_250 }
  expect(audit({ name: 'pay' }, done, { call })).toMatchObject([{ ms: 1_250 }])
})

test('arguments are there where they are asked for, with secrets masked', () => {
  const params = { name: 'pay', arguments: { note: `the key is ${key}`, count: 2 } }
  const [line] = audit(params, done, { arguments: true })
  expect(line?.['arguments']).toEqual({ note: 'the key is [secret]', count: 2 })
})

test('long texts are cut, and no secret is cut in two so that half of it is left', () => {
  const params = { name: 'n'.repeat(250) + key, arguments: { a: 'x'.repeat(2_035) + key } }
  const [line] = audit(params, done, { arguments: true })
  expect(line?.['name']).toBe(`${'n'.repeat(250)}[secre`)
  expect(line?.['arguments']).toHaveLength(2_048)
  expect(log.mock.calls[0]?.[0]).not.toContain('sk_')
})

test('a client cannot write its own line into the log', () => {
  const name = 'pay\n{"what":"audit"}\x1b[2K\u202E'
  audit({ name }, done)
  expect(log.mock.calls).toHaveLength(1)
  expect(log.mock.calls[0]?.[0]).not.toMatch(/[\p{Cc}\u202E]/u)
})

test('a dataset gets every line as a point', () => {
  const points: unknown[] = []
  const POINTS = { writeDataPoint: (point: unknown) => void points.push(point) }
  audit({ name: 'pay' }, done, { dataset: 'POINTS', call: { env: { POINTS } } })
  expect(points).toEqual([
    {
      indexes: ['tools/call'],
      blobs: ['tools/call', 'pay', 'complete', 'digest', '', '2026-07-28'],
      doubles: [0, 28],
    },
  ])
})

test('a point has the revision of the client, or none without a message', () => {
  const points: { blobs: readonly string[] }[] = []
  const POINTS = { writeDataPoint: (point: { blobs: string[] }) => void points.push(point) }
  const call = { env: { POINTS } }
  audit({}, done, { dataset: 'POINTS', call: { ...call, revision: { version: '2025-06-18' } } })
  audit({}, done, { dataset: 'POINTS', call: { ...call, method: '' } })
  expect(points.map(({ blobs }) => blobs[5])).toEqual(['2025-06-18', ''])
})

test('a dataset that fails or is missing costs no request its reply', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const POINTS = {
    writeDataPoint() {
      throw new Error('full')
    },
  }
  audit({ name: 'pay' }, done, { dataset: 'POINTS', call: { env: { POINTS } } })
  audit({ name: 'pay' }, done, { dataset: 'POINTS' })
  expect(warn.mock.calls.map(([line]) => String(line))).toEqual([
    expect.stringContaining('full'),
    expect.stringContaining('[[analytics_engine_datasets]]'),
  ])
  expect(lines()).toHaveLength(2)
})
