import type { Trace } from '../../define/trace.ts'
import type { TraceContext } from './context.ts'

/** Makes what a tool gets of its request's trace. */
export function createTrace(context: TraceContext | null): Trace {
  if (context === null) return { id: null, headers: {} }
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
