import { expect, test } from 'vitest'
import {
  createTrace,
  noTrace,
  readBaggage,
  readTraceContext,
  readTraceState,
} from '../../../src/out/trace.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

test.each([
  ['a sampled trace', traceparent, '01'],
  ['one that is not sampled', `00-${traceId}-00f067aa0ba902b7-00`, '00'],
  ['a random id', `00-${traceId}-00f067aa0ba902b7-03`, '03'],
  ['unknown flags are dropped', `00-${traceId}-00f067aa0ba902b7-fd`, '01'],
  ['a later version', `01-${traceId}-00f067aa0ba902b7-01`, '01'],
  ['a later version that goes on', `cc-${traceId}-00f067aa0ba902b7-01-what-else`, '01'],
])('reads a traceparent: %s', (_, text, flags) => {
  expect(readTraceContext({ traceparent: text })).toEqual({
    traceId,
    flags,
    state: null,
    baggage: null,
  })
})

test.each([
  ['missing', undefined],
  ['not a text', 1],
  ['empty', ''],
  ['the forbidden version', `ff-${traceId}-00f067aa0ba902b7-01`],
  ['version 00 that goes on', `${traceparent}-more`],
  ['a later version that goes on without a dash', `01-${traceId}-00f067aa0ba902b7-01more`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['a parent of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['capitals', traceparent.toUpperCase()],
  ['a short trace', `00-${traceId.slice(1)}-00f067aa0ba902b7-01`],
  ['white space', ` ${traceparent}`],
  ['a line break at the end', `${traceparent}\n`],
])('does not accept a traceparent that is %s', (_, text) => {
  expect(readTraceContext({ traceparent: text, tracestate: 'a=1', baggage: 'a=1' })).toBeNull()
})

test.each([
  ['a vendor', 'congo=t61rcWkgMzE'],
  ['a tenant of a vendor', '4tenant@vendor=x,rojo=00f067aa0ba902b7'],
  ['spaces and empty members', ' a=1 ,,\tb=2', 'a=1,b=2'],
  ['32 members', members(32), members(32)],
  ['a value with spaces inside', 'a=1 2'],
])('reads a tracestate: %s', (_, text, read = text) => {
  expect(readTraceState(text)).toBe(read)
})

test.each([
  ['empty', ''],
  ['a list of texts', ['a=1']],
  ['a key in capitals', 'A=1'],
  ['a key that stands twice', 'a=1,a=2'],
  ['no value', 'a='],
  ['two equals signs', 'a=1=2'],
  ['a header of its own', 'a=1\r\nx-admin: yes'],
  ['33 members', members(33)],
  ['more than 512 characters', `a=${'1'.repeat(250)},b=${'1'.repeat(250)},c=${'1'.repeat(50)}`],
])('does not accept a tracestate that is %s', (_, text) => {
  expect(readTraceState(text)).toBeNull()
})

test.each([
  ['one member', 'userId=alice'],
  ['properties', 'a=1;ttl=60;internal,b=%20', 'a=1;ttl=60;internal,b=%20'],
  ['spaces', ' a = 1 ; p = 2 , b=', 'a = 1 ; p = 2,b='],
])('reads a baggage: %s', (_, text, read = text) => {
  expect(readBaggage(text)).toBe(read)
})

test.each([
  ['empty', ''],
  ['not a text', {}],
  ['a key with a space', 'user id=alice'],
  ['a quoted value', 'a="1"'],
  ['letters beyond ASCII', 'a=é'],
  ['a header of its own', 'a=1\r\nx-admin: yes'],
  ['65 members', members(65)],
  ['more than 8192 bytes', `a=${'1'.repeat(8_192)}`],
])('does not accept a baggage that is %s', (_, text) => {
  expect(readBaggage(text)).toBeNull()
})

test('hostile baggage costs no more than its length', () => {
  const began = performance.now()
  expect(readBaggage(`a=1${';p= '.repeat(2_000)}"`)).toBeNull()
  expect(readTraceState(`${'a'.repeat(500)}@`)).toBeNull()
  expect(performance.now() - began).toBeLessThan(1_000)
})

test('each fetch has its own span in the same trace', () => {
  const context = readTraceContext({ traceparent, tracestate: 'a=1', baggage: 'b=2' })
  const trace = context === null ? noTrace : createTrace(context)
  expect(trace.id).toBe(traceId)
  const { traceparent: first, ...others } = trace.headers
  expect(first).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  expect(first).not.toContain('00f067aa0ba902b7')
  expect(trace.headers['traceparent']).not.toBe(first)
  expect(others).toEqual({ tracestate: 'a=1', baggage: 'b=2' })
  expect(new Headers(trace.headers).get('tracestate')).toBe('a=1')
})

test('without a trace nothing is sent', () => {
  expect(noTrace).toEqual({ id: null, headers: {} })
})

function members(count: number): string {
  return Array.from({ length: count }, (_, index) => `k${index}=1`).join(',')
}
