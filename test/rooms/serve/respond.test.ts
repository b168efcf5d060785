import { expect, test } from 'vitest'
import { createRespond } from '../../../src/serve/respond.ts'
import type { Answer, FinalOutcome } from '../../../src/serve/answer-message.ts'
import type { CacheHints } from '../../../src/protocol/outcome.ts'

const serverInfo = { name: 'shop', version: '1.0.0' }
const respond = createRespond(serverInfo)
const meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }

function reply(
  outcome: FinalOutcome,
  more: Partial<Extract<Answer, { kind: 'reply' }>> = {},
): Response {
  const answer = { kind: 'reply', id: 1, mediaType: 'application/json', outcome, ...more } as const
  return respond(answer, null)
}

test('a result is complete, under its id, and says which server it is from', async () => {
  const response = reply({ kind: 'result', members: '"tools":[]' })
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    vary: 'Origin',
    'x-content-type-options': 'nosniff',
  })
  expect(await response.json()).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { resultType: 'complete', tools: [], _meta: meta },
  })
})

test('a result without members is valid JSON', async () => {
  const response = reply({ kind: 'result', members: '' })
  expect(await response.json()).toMatchObject({ result: { resultType: 'complete', _meta: meta } })
})

test('a result that needs input says so and is never stored', async () => {
  const response = reply({ kind: 'input-required', members: '"inputRequests":{}' })
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(await response.json()).toMatchObject({
    result: { resultType: 'input_required', inputRequests: {}, _meta: meta },
  })
})

test('what a result has in its _meta stands beside the server', async () => {
  const response = reply({ kind: 'result', members: '"a":1', meta: '"x/y":2' })
  expect(await response.json()).toMatchObject({ result: { a: 1, _meta: { ...meta, 'x/y': 2 } } })
})

test.each([0, 7, '', '7', 'a"b\u2028é'])('the id %j comes back as it was', async (id) => {
  expect(await reply({ kind: 'result', members: '' }, { id }).json()).toMatchObject({ id })
})

test.each<[CacheHints | undefined, string]>([
  [undefined, 'no-store'],
  [{ ttlMs: 0, cacheScope: 'public' }, 'no-store'],
  [{ ttlMs: 999, cacheScope: 'private' }, 'no-store'],
  [{ ttlMs: 1999, cacheScope: 'private' }, 'private, max-age=1'],
  [{ ttlMs: 300_000, cacheScope: 'public' }, 'public, max-age=300'],
])('the cache hints %j are %s in HTTP', (cache, expected) => {
  const outcome = { kind: 'result', members: '' } as const
  const { headers } = reply(cache === undefined ? outcome : { ...outcome, cache })
  expect(headers.get('Cache-Control')).toBe(expected)
})

test('one reply leaves no header behind for the next', () => {
  const cache = { ttlMs: 60_000, cacheScope: 'public' } as const
  const stream = { mediaType: 'text/event-stream' } as const
  reply({ kind: 'result', members: '', cache }, stream)
  const { headers } = reply({ kind: 'result', members: '' })
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(headers.get('X-Accel-Buffering')).toBeNull()
})

test('a client that takes only streams gets a stream of one event', async () => {
  const stream = { mediaType: 'text/event-stream' } as const
  const response = reply({ kind: 'result', members: '"text":"a\\nb"' }, stream)
  expect(response.headers.get('Content-Type')).toBe('text/event-stream')
  expect(response.headers.get('X-Accel-Buffering')).toBe('no')
  const [line, ...rest] = (await response.text()).split('\n')
  expect(rest).toEqual(['', ''])
  expect(line).toMatch(/^data: \{/)
  expect(JSON.parse(String(line).slice(6))).toMatchObject({ id: 1, result: { text: 'a\nb' } })
})

test.each([
  ['text/event-stream', { kind: 'invalid-params', why: 'x' }, 200],
  ['application/json', { kind: 'unknown-method', method: 'x' }, 404],
] as const)('a failure travels as %s under its own status', async (type, failure, status) => {
  const stream = { mediaType: 'text/event-stream' } as const
  const response = reply({ kind: 'failure', failure }, stream)
  expect(response.status).toBe(status)
  expect(response.headers.get('Content-Type')).toBe(type)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
})

test('a failure keeps its data, its headers and the id of the request', async () => {
  const versions = { requested: '1900-01-01', supported: ['2026-07-28'] }
  const unsupported = { kind: 'unsupported-version', ...versions } as const
  expect(await reply({ kind: 'failure', failure: unsupported }).json()).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32022, message: expect.any(String), data: versions },
  })
  const failure = { kind: 'method-not-allowed', method: 'GET', allow: 'POST, OPTIONS' } as const
  const { headers } = respond({ kind: 'refusal', failure }, null)
  expect(headers.get('Allow')).toBe('POST, OPTIONS')
})
