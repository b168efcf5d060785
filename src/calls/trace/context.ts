import type { JsonObject } from '../../wire/json.ts'
import { readBaggage } from './baggage.ts'
import { readTraceState } from './state.ts'

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
