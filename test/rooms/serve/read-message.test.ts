import { expect, test } from 'vitest'
import { readJsonRpc } from '../../../src/serve/read-message.ts'

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
