/** The media types that a reply can have (basic/transports/streamable-http, "Sending Messages"). */
export type MediaType = 'application/json' | 'text/event-stream'

/** What a client takes. */
export interface Accepted {
  /** How a reply goes out that does not stream. */
  readonly reply: MediaType
  /** It names streams, so that a reply may become one. A mere wildcard comes from simpler clients. */
  readonly streams: boolean
  /** It refuses no stream, so that what can be nothing else may be one. */
  readonly allowsStream: boolean
}

// what the specification has clients send, and so nearly all that arrives
const usual = 'application/json, text/event-stream'
const both: Accepted = { reply: 'application/json', streams: true, allowsStream: true }

const weightless = /^q=0(?:\.0*)?$/

/**
 * Reads an `Accept` header, or answers `null` where neither type will do. JSON wins wherever the
 * client takes it: a reply that does not stream costs less to send and to read. The specification
 * wants clients to list both; many list one, or none, and are served all the same.
 */
export function readAccept(accept: string): Accepted | null {
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

// the most specific range decides: `application/json;q=0, */*` refuses JSON (RFC 9110, 12.5.1)
function takes(ranges: readonly Range[], fromSpecific: readonly string[]): boolean {
  for (const type of fromSpecific) {
    const range = ranges.find((range) => range.type === type)
    if (range !== undefined) return !range.isRefused
  }
  return false
}
