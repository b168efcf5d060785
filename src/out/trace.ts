import type { Trace } from '../define/contexts.ts'
import type { JsonObject } from '../protocol/json.ts'

/** What an author's code is given where the client sent no trace. */
export const noTrace: Trace = { id: null, headers: {} }

/** Creates what an author's code is given of its request's trace. */
export function createTrace(context: TraceContext): Trace {
  const { traceId, flags, state, baggage } = context
  return {
    id: traceId,
    get headers() {
      return {
        traceparent: `00-${traceId}-${createSpanId()}-${flags}`,
        ...(state !== null && { tracestate: state }),
        ...(baggage !== null && { baggage }),
      }
    },
  }
}

function createSpanId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  // all zeros would be no id
  return bytes.some((byte) => byte !== 0) ? bytes.toHex() : '0000000000000001'
}

/** What a client says of the trace that its request belongs to (W3C Trace Context, Baggage). */
export interface TraceContext {
  readonly traceId: string
  /** Two hexadecimal digits: whether it is sampled, and whether its id is random. */
  readonly flags: string
  readonly state: string | null
  readonly baggage: string | null
}

const parent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const zeros = /^0+$/
/** `sampled` and `random`; a flag that nobody knows must be zero when it is passed on. */
const knownFlags = 0b11

/**
 * Reads the trace context of a request's `_meta` (basic/index, "OpenTelemetry trace context"). What is
 * not as W3C writes it counts as absent, and without a parent all of it does.
 */
export function readTraceContext(meta: JsonObject): TraceContext | null {
  const { traceparent, tracestate, baggage } = meta
  if (typeof traceparent !== 'string') return null
  const [, version, traceId = '', parentId = '', flags = '', more] = parent.exec(traceparent) ?? []
  if (version === undefined || version === 'ff') return null
  // version 00 ends here; a later one may go on, and is read as far as 00 goes
  if (version === '00' && more !== undefined) return null
  if (zeros.test(traceId) || zeros.test(parentId)) return null
  return {
    traceId,
    flags: (Number.parseInt(flags, 16) & knownFlags).toString(16).padStart(2, '0'),
    state: readTraceState(tracestate),
    baggage: readBaggage(baggage),
  }
}

const maxStateLength = 512
const maxStateMembers = 32

const key = String.raw`[a-z0-9][a-z0-9_\-*/]{0,240}(?:@[a-z][a-z0-9_\-*/]{0,13})?|[a-z][a-z0-9_\-*/]{0,255}`
/** Visible ASCII and spaces inside, without comma and equals sign. */
const stateValue = String.raw`[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]`
const member = new RegExp(`^(${key})=${stateValue}$`)

/** Reads a `tracestate`; one with any fault is not passed on (W3C Trace Context, section 3.3). */
export function readTraceState(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > maxStateLength) return null
  // an empty member between two commas is allowed, and says nothing
  const members = text
    .split(',')
    .map(trimListMember)
    .filter((one) => one !== '')
  const keys = members.map((one) => member.exec(one)?.[1])
  if (members.length === 0 || members.length > maxStateMembers || keys.includes(undefined))
    return null
  return new Set(keys).size === keys.length ? members.join(',') : null
}

const maxBaggageLength = 8_192
const maxBaggageMembers = 64

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const baggageValue = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

/** Reads a `baggage`; one with any fault is not passed on (W3C Baggage, section 3.2). */
export function readBaggage(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > maxBaggageLength) return null
  const members = text.split(',').map(trimListMember)
  return members.length <= maxBaggageMembers && members.every(isMember) ? members.join(',') : null
}

// taken apart and not matched whole: spaces around every part make such an expression explode
function isMember(member: string): boolean {
  const [pair = '', ...properties] = member.split(';').map(trimListMember)
  return isPair(pair) && properties.every((property) => token.test(property) || isPair(property))
}

function isPair(text: string): boolean {
  const at = text.indexOf('=')
  return (
    at > 0 &&
    token.test(trimListMember(text.slice(0, at))) &&
    baggageValue.test(trimListMember(text.slice(at + 1)))
  )
}

/** Trims the white space of HTTP lists. Not `String.trim`, which takes line breaks too. */
function trimListMember(text: string): string {
  return text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')
}
