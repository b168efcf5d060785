import { expect, test } from 'vitest'
import { isJsonContentType, readAccept, readJsonRpc } from '../../../src/serve/read-message.ts'

const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test('a request keeps its id, method and params', () => {
  expect(readJsonRpc({ ...request, params: { cursor: 'x' } })).toEqual({
    kind: 'request',
    id: 1,
    method: 'tools/list',
    params: { cursor: 'x' },
  })
})

test('absent params are an empty object', () => {
  expect(readJsonRpc(request)).toMatchObject({ kind: 'request', params: {} })
})

test.each(['', 'a', '1', 0, -1, Number.MAX_SAFE_INTEGER])('%j is an id', (id) => {
  expect(readJsonRpc({ ...request, id })).toMatchObject({ kind: 'request', id })
})

test.each([null, 1.5, 2 ** 53, Number.POSITIVE_INFINITY, true, {}, []])(
  '%j is not an id and is not echoed',
  (id) => {
    const read = readJsonRpc({ ...request, id })
    expect(read).toMatchObject({ kind: 'invalid', id: undefined })
  },
)

test('a message without id is a notification, whatever its method', () => {
  expect(readJsonRpc({ jsonrpc: '2.0', method: 'tools/call' })).toEqual({
    kind: 'notification',
    method: 'tools/call',
    params: {},
  })
})

test.each([
  ['no jsonrpc', { id: 7, method: 'x' }, '`jsonrpc`'],
  ['a number for jsonrpc', { ...request, id: 7, jsonrpc: 2 }, '`jsonrpc`'],
  ['another version of JSON-RPC', { ...request, id: 7, jsonrpc: '1.0' }, '`jsonrpc`'],
  ['no method', { jsonrpc: '2.0', id: 7 }, '`method`'],
  ['an empty method', { ...request, id: 7, method: '' }, '`method`'],
  ['a method that is not a string', { ...request, id: 7, method: ['x'] }, '`method`'],
  ['positional params', { ...request, id: 7, params: ['x'] }, '`params`'],
  ['null for params', { ...request, id: 7, params: null }, '`params`'],
  ['a posted result', { jsonrpc: '2.0', id: 7, result: {} }, 'no responses'],
  ['a posted error', { jsonrpc: '2.0', id: 7, error: { code: 1, message: 'x' } }, 'no responses'],
])('%s is refused under its id', (_, value, why) => {
  expect(readJsonRpc(value)).toEqual({
    kind: 'invalid',
    id: 7,
    why: expect.stringContaining(why),
  })
})

test.each([
  ['a batch', [request], 'batches'],
  ['an empty batch', [], 'batches'],
  ['null', null, 'not a JSON object'],
  ['a string', 'tools/list', 'not a JSON object'],
  [
    'a notification with positional params',
    { jsonrpc: '2.0', method: 'x', params: [] },
    '`params`',
  ],
])('%s is refused without an id', (_, value, why) => {
  expect(readJsonRpc(value)).toEqual({
    kind: 'invalid',
    id: undefined,
    why: expect.stringContaining(why),
  })
})

test('a method may be named like a member of every object', () => {
  expect(readJsonRpc({ ...request, method: 'constructor' })).toMatchObject({
    method: 'constructor',
  })
  expect(
    readJsonRpc(JSON.parse('{"__proto__":{"method":"x"},"jsonrpc":"2.0","id":7}')),
  ).toMatchObject({ kind: 'invalid', id: 7 })
})

test.each([
  ['application/json, text/event-stream', 'application/json', true, true],
  ['text/event-stream, application/json', 'application/json', true, true],
  ['application/json', 'application/json', false, false],
  ['APPLICATION/JSON', 'application/json', false, false],
  ['application/json; charset=utf-8', 'application/json', false, false],
  ['application/*', 'application/json', false, false],
  ['*/*', 'application/json', false, true],
  ['text/html, */*;q=0.1', 'application/json', false, true],
  ['application/json;q=0.1, text/event-stream', 'application/json', true, true],
  ['application/json, text/event-stream;q=0, */*', 'application/json', false, false],
  ['text/event-stream', 'text/event-stream', true, true],
  ['text/*', 'text/event-stream', true, true],
  ['application/json;q=0, */*', 'text/event-stream', false, true],
  ['application/json; q=0.000, text/event-stream', 'text/event-stream', true, true],
])('an Accept of "%s" chooses %s', (accept, reply, streams, allowsStream) => {
  expect(readAccept(accept)).toEqual({ reply, streams, allowsStream })
})

test.each(['*/*;q=0', 'application/json;q=0', 'text/html', 'application/jsonp'])(
  'an Accept of "%s" leaves no choice',
  (accept) => {
    expect(readAccept(accept)).toBeNull()
  },
)

test.each([
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json; charset="UTF-8"',
  'application/json ; profile=x ; charset=utf8',
  'application/json, application/json',
  'application/json;charset=utf-8,application/json; charset="utf-8"',
])('%s is JSON', (contentType) => {
  expect(isJsonContentType(contentType)).toBe(true)
})

test.each([
  '',
  'missing',
  'text/plain',
  'text/json',
  'application/jsonp',
  'application/json+ld',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-16',
  'application/json, text/plain',
])('"%s" is not JSON in UTF-8', (contentType) => {
  expect(isJsonContentType(contentType)).toBe(false)
})
