import type { Trace } from '../define/contexts.ts'
import type { JsonObject } from '../protocol/json.ts'

/** The `trace` of a context if the client sent none. */
export const noTrace: Trace = { id: null, headers: {} }

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
  // an id must not be all zeros
  return bytes.some((byte) => byte !== 0) ? bytes.toHex() : '0000000000000001'
}

/** The trace context of a request (W3C Trace Context, Baggage). */
export interface TraceContext {
  readonly traceId: string
  /** Two hexadecimal digits: the flags `sampled` and `random`. */
  readonly flags: string
  readonly state: string | null
  readonly baggage: string | null
}

const parent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const zeros = /^0+$/
/** `sampled` and `random`. Unknown flags must be zero when they are passed on. */
const knownFlags = 0b11

/**
 * Reads the trace context of a request's `_meta` (basic/index, "OpenTelemetry trace context").
 * Invalid parts count as absent; without a valid parent all parts do.
 */
export function readTraceContext(meta: JsonObject): TraceContext | null {
  const { traceparent, tracestate, baggage } = meta
  if (typeof traceparent !== 'string') return null
  const [, version, traceId = '', parentId = '', flags = '', more] = parent.exec(traceparent) ?? []
  if (version === undefined || version === 'ff') return null
  // version 00 has no further parts; later versions are read like version 00
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
/** Visible ASCII without comma and equals sign, and spaces except at the end. */
const stateValue = String.raw`[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]`
const member = new RegExp(`^(${key})=${stateValue}$`)

/** Reads a `tracestate`; `null` if any part is invalid (W3C Trace Context, section 3.3). */
export function readTraceState(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > maxStateLength) return null
  // empty members are allowed
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

/** Reads a `baggage`; `null` if any part is invalid (W3C Baggage, section 3.2). */
export function readBaggage(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > maxBaggageLength) return null
  const members = text.split(',').map(trimListMember)
  return members.length <= maxBaggageMembers && members.every(isMember) ? members.join(',') : null
}

// not matched by one expression: with optional spaces around every part it would backtrack
// exponentially
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

/** Trims the white space of HTTP lists. Unlike `String.trim` it keeps line breaks. */
function trimListMember(text: string): string {
  return text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')
}
