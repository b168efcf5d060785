import type { AcceptedReply } from '../mcp/call.ts'

/**
 * Returns whether a `Content-Type` is JSON in UTF-8, the only encoding of JSON between systems (RFC
 * 8259, 8.1). Parameters other than `charset` are ignored.
 */
export function isJsonContentType(contentType: string): boolean {
  if (contentType === 'application/json') return true
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  return type === 'application/json' && parameters.every(isHarmless)
}

function isHarmless(parameter: string): boolean {
  return !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter)
}

// the header that the specification requires, which nearly all clients send
const usual = 'application/json, text/event-stream'
const both: AcceptedReply = { reply: 'application/json', streams: true, allowsStream: true }

const weightless = /^q=0(?:\.0*)?$/

/**
 * Reads an `Accept` header; `null` if it accepts neither type. JSON is preferred: a reply without a
 * stream costs less. The specification requires clients to list both types, but many list one or
 * none, and are served as well.
 */
export function readAccept(accept: string): AcceptedReply | null {
  if (accept === usual) return both
  const ranges = accept.toLowerCase().split(',').map(readRange)
  const takesJson = takes(ranges, ['application/json', 'application/*', '*/*'])
  const allowsStream = takes(ranges, ['text/event-stream', 'text/*', '*/*'])
  if (!takesJson && !allowsStream) return null
  const streams = takes(ranges, ['text/event-stream', 'text/*'])
  return { reply: takesJson ? 'application/json' : 'text/event-stream', streams, allowsStream }
}

interface Range {
  readonly type: string
  readonly isRefused: boolean
}

function readRange(range: string): Range {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  return { type, isRefused: parameters.some((parameter) => weightless.test(parameter)) }
}

// the most specific range decides: `application/json;q=0, */*` excludes JSON (RFC 9110, 12.5.1)
function takes(ranges: readonly Range[], fromSpecific: readonly string[]): boolean {
  for (const type of fromSpecific) {
    const range = ranges.find((range) => range.type === type)
    if (range !== undefined) return !range.isRefused
  }
  return false
}
