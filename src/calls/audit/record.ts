import type { JsonObject } from '../../wire/json.ts'
import { isJsonObject } from '../../wire/json.ts'
import type { RequestMessage } from '../../wire/message.ts'
import { isErrorResult, type Outcome } from '../../wire/outcome.ts'
import type { StreamedResult } from '../../wire/streamed-outcome.ts'
import type { Sanitizer } from '../sanitize/sanitizer.ts'
import { readTraceContext } from '../trace/context.ts'

/** Who asked for what; every text of it may stand in a log. */
export interface AuditSubject {
  readonly id: string | number
  /** The trace that the request belongs to, as its client says. */
  readonly trace?: string
  /** The caller's digest: never a name, never a token. */
  readonly caller?: string
  readonly method: string
  /** The tool's or prompt's name, or the resource's URI. */
  readonly name?: string
  /** Only where the audit is to have them; of long ones the beginning, as text. */
  readonly arguments?: unknown
}

/** How it ended. */
export interface AuditEnd {
  /** `complete`, `input_required`, `isError`, or the kind of a failure. */
  readonly outcome: string
  /** The id under which the log has the details of a fault. */
  readonly errorId?: string
  /** Whether it was kept, of what may be. */
  readonly cache?: 'hit' | 'miss'
  /** Bytes of the result; 0 without one. */
  readonly bytes: number
}

/** Characters of a client's text that a line has at most, and of its arguments. */
const maxText = 256
const maxArguments = 2_048

/** Reads what a line says of a request, with secrets masked before anything is cut. */
export function toAuditSubject(
  { id, method, params }: RequestMessage,
  callerDigest: string | null,
  sanitizer: Sanitizer,
  hasArguments: boolean,
): AuditSubject {
  const clip = (text: string): string => sanitizer.text(text).slice(0, maxText)
  const trace = isJsonObject(params['_meta']) ? readTraceContext(params['_meta']) : null
  const name = findName(params)
  const given = hasArguments ? toArguments(params['arguments'], sanitizer) : undefined
  return {
    id: typeof id === 'string' ? clip(id) : id,
    ...(trace !== null && { trace: trace.traceId }),
    ...(callerDigest !== null && { caller: callerDigest }),
    method: clip(method),
    ...(name !== null && { name: clip(name) }),
    ...(given !== undefined && { arguments: given }),
  }
}

/** Says how a request ended. A stream has to end first: `toStreamEnd` is for that. */
export function toAuditEnd(outcome: Exclude<Outcome, { readonly kind: 'stream' }>): AuditEnd {
  switch (outcome.kind) {
    case 'result':
      return {
        ...toStreamEnd(outcome),
        ...(outcome.kept && { cache: outcome.kept.isHit ? 'hit' : 'miss' }),
      }
    case 'input-required':
      return { outcome: 'input_required', bytes: toBytes(outcome.members) }
    case 'failure': {
      const { failure } = outcome
      const errorId = 'errorId' in failure ? { errorId: failure.errorId } : {}
      return { outcome: failure.kind, ...errorId, bytes: 0 }
    }
  }
}

/** Says how a stream ended, whose last message is its result. */
export function toStreamEnd({ members }: StreamedResult): AuditEnd {
  return { outcome: isErrorResult(members) ? 'isError' : 'complete', bytes: toBytes(members) }
}

function findName({ name, uri, ref }: JsonObject): string | null {
  if (typeof name === 'string') return name
  if (typeof uri === 'string') return uri
  return isJsonObject(ref) ? findName({ name: ref['name'], uri: ref['uri'] }) : null
}

function toArguments(given: unknown, sanitizer: Sanitizer): unknown {
  if (given === undefined) return undefined
  const json = sanitizer.json(JSON.stringify(given))
  return json.length <= maxArguments ? JSON.parse(json) : json.slice(0, maxArguments)
}

function toBytes(text: string): number {
  return new TextEncoder().encode(text).byteLength
}
