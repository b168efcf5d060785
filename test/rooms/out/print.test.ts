import { expect, test } from 'vitest'
import { printError, printNotification, printResult } from '../../../src/out/print.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'

const secret = 'hunter2hunter2'
const sanitizer = createSanitizer([secret])
const serverMeta = '"io.modelcontextprotocol/serverInfo":{"name":"shop","version":"1.0.0"}'
const meta = { 'io.modelcontextprotocol/serverInfo': { name: 'shop', version: '1.0.0' } }

type Printed = Parameters<typeof printResult>[1]

function print(outcome: Printed, hints = '', id: string | number = 1): unknown {
  return JSON.parse(printResult(id, outcome, { serverMeta, hints }, sanitizer))
}

test('a result is complete, under its id, and says which server it is from', () => {
  expect(print({ kind: 'result', members: '"tools":[]' })).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { resultType: 'complete', tools: [], _meta: meta },
  })
})

test('a result without members is valid JSON', () => {
  expect(print({ kind: 'result', members: '' })).toMatchObject({
    result: { resultType: 'complete', _meta: meta },
  })
})

test('a result that needs input says so', () => {
  expect(print({ kind: 'input-required', members: '"inputRequests":{}' })).toMatchObject({
    result: { resultType: 'input_required', inputRequests: {}, _meta: meta },
  })
})

test('caching hints stand beside the members', () => {
  const hints = '"ttlMs":7,"cacheScope":"public",'
  expect(print({ kind: 'result', members: '"a":1' }, hints)).toMatchObject({
    result: { a: 1, ttlMs: 7, cacheScope: 'public' },
  })
})

test('what a result has in its _meta stands beside the server', () => {
  expect(print({ kind: 'result', members: '"a":1', meta: '"x/y":2' })).toMatchObject({
    result: { a: 1, _meta: { ...meta, 'x/y': 2 } },
  })
})

test.each([0, 7, -1, '', '7', 'a"b\u2028é', `\u200B${secret}`])(
  'the id %j comes back as it was',
  (id) => {
    expect(print({ kind: 'result', members: '' }, '', id)).toMatchObject({ id })
    const error = { status: 400, code: -32600, message: 'x' }
    expect(JSON.parse(printError(id, error, sanitizer))).toMatchObject({ id })
  },
)

test.each([7, `\u200B${secret}`])('the id %j comes back in notifications as it was', (id) => {
  const ids = { progressToken: id, requestId: id, _meta: { 'x/subscriptionId': id } }
  const printed = printNotification({ method: 'm', params: { ...ids, text: secret } }, sanitizer)
  expect(JSON.parse(printed)).toEqual({
    jsonrpc: '2.0',
    method: 'm',
    params: { ...ids, text: '[secret]' },
  })
  const meta = `"x/subscriptionId":${JSON.stringify(id)}`
  expect(print({ kind: 'result', members: '', meta })).toMatchObject({
    result: { _meta: { 'x/subscriptionId': id } },
  })
})

test('a notification may have no params', () => {
  expect(printNotification({ method: 'm' }, sanitizer)).toBe('{"jsonrpc":"2.0","method":"m"}')
})

const dirty = `\u202E${secret}\uD83D`
const clean = '[secret]\uFFFD'

test('the members of a result are cleaned', () => {
  const members = `"x/y":${JSON.stringify(dirty)}`
  expect(print({ kind: 'result', members })).toMatchObject({ result: { 'x/y': clean } })
})

test('a request to the client is sanitized', () => {
  const members = `"a":${JSON.stringify(dirty)}`
  expect(print({ kind: 'input-required', members })).toMatchObject({ result: { a: clean } })
})

test("the server's own description is sanitized", () => {
  const own = { serverMeta: `"x/y":${JSON.stringify(dirty)}`, hints: '' }
  const text = printResult(1, { kind: 'result', members: '' }, own, sanitizer)
  expect(JSON.parse(text)).toMatchObject({ result: { _meta: { 'x/y': clean } } })
})

test('members that are clean already are not sanitized again', () => {
  const outcome = { kind: 'result', members: `"a":"${secret}"`, isClean: true } as const
  expect(print(outcome)).toMatchObject({ result: { a: secret } })
})

test('an error has its code, message and data, cleaned, and its status stays in HTTP', () => {
  const error = { status: 400, code: -32602, message: dirty, data: { why: [dirty] } }
  expect(JSON.parse(printError('a', error, sanitizer))).toEqual({
    jsonrpc: '2.0',
    id: 'a',
    error: { code: -32602, message: clean, data: { why: [clean] } },
  })
})

test('an error whose request had no id has none', () => {
  const error = { status: 400, code: -32700, message: 'Parse error' }
  expect(printError(undefined, error, sanitizer)).toBe(
    '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}',
  )
})

test('a notification has no id, and is cleaned', () => {
  const notification = { method: 'notifications/message', params: { data: [dirty] } }
  expect(JSON.parse(printNotification(notification, sanitizer))).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { data: [clean] },
  })
})
