import { ToolError } from '../define/reply.ts'
import type { WorkerLog } from '../out/log.ts'
import type { IndexedHandle } from './handle-index.ts'
import type { FoundRun, RunClaimStatus, RunClaimTimes } from './stored-claim.ts'
import type { LimitObject } from './stored-limit.ts'

/** The methods of a `Handles` object over RPC: its id decides which of them it serves. */
export interface HandlesObject extends LimitObject {
  create(address: HandleAddress, args: readonly unknown[]): Promise<HandleReply>
  use(address: HandleAddress, verb: string, args: readonly unknown[]): Promise<HandleReply>
  read(address: HandleAddress): Promise<HandleReply>
  end(address: HandleAddress): Promise<HandleReply>
  peek(): Promise<number | null>
  addToIndex(kind: string, objectId: string, aliveUntil: number, limit: number): Promise<boolean>
  removeFromIndex(kind: string, objectId: string): Promise<void>
  listIndex(kind: string): Promise<readonly IndexedHandle[]>
  claim(times: RunClaimTimes): Promise<RunClaimStatus>
  look(): Promise<FoundRun | null>
  finish(result: string): Promise<void>
}

export interface HandleAddress {
  readonly kind: string
  /** The digest of the caller; `null` for an anonymous one. */
  readonly caller: string | null
}

export type HandleReply = { readonly kind: 'value'; readonly value: unknown } | HandleRefusal

/** Why a handle's object did not do what was asked: a value, as RPC need not keep error classes. */
export type HandleRefusal =
  /** Unknown, expired, ended, of another kind or another caller's: callers must not learn which. */
  | { readonly kind: 'gone' }
  /** The stored state does not fit the kind's schema any more. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'too-large'; readonly bytes: number }
  /** The author's code threw a ToolError: its message is for the model. */
  | { readonly kind: 'refused'; readonly message: string; readonly cause?: ThrownReport }
  /** The author's code threw anything else, which is for the log alone. */
  | { readonly kind: 'failed'; readonly thrown: ThrownReport }

/** Carries a refusal out of a transaction, which only an exception rolls back. Never crosses RPC. */
export class HandleRefusedError extends Error {
  override readonly name = 'HandleRefusedError'
  readonly refusal: HandleRefusal

  constructor(refusal: HandleRefusal) {
    super(refusal.kind)
    this.refusal = refusal
  }
}

/** Converts what was thrown inside an object to the value that crosses RPC, with secrets masked. */
export function toHandleRefusal(thrown: unknown, log: () => WorkerLog): HandleRefusal {
  if (thrown instanceof HandleRefusedError) return thrown.refusal
  if (thrown instanceof ToolError) {
    const { message, cause } = thrown
    // not masked here: the tool must see what its verb said, and it is masked where it leaves
    const refusal = { kind: 'refused', message } as const
    return cause === undefined ? refusal : { ...refusal, cause: toThrownReport(cause, log) }
  }
  return { kind: 'failed', thrown: toThrownReport(thrown, log) }
}

/** The namespace of the `Handles` class. Cloudflare's own type does not know this class's methods. */
export interface HandlesNamespace {
  newUniqueId(): DurableObjectId
  idFromName(name: string): DurableObjectId
  idFromString(id: string): DurableObjectId
  jurisdiction(jurisdiction: DurableObjectJurisdiction): HandlesNamespace
  get(id: DurableObjectId): HandlesObject
}

/**
 * Finds the namespace in `ctx.exports`, where it needs no binding.
 *
 * @throws {TypeError} where the Worker does not export the class or does not declare it.
 */
export function readHandlesNamespace(exports: unknown): HandlesNamespace {
  const found: unknown = Object(exports).Handles
  if (isNamespace(found)) return found
  throw new TypeError(
    'This Worker cannot store state: it has no Durable Object class `Handles`. Export the class beside ' +
      'the Worker (`export const { Handles } = worker`) and declare it in wrangler.toml: [[migrations]] ' +
      'with new_sqlite_classes = ["Handles"].',
  )
}

function isNamespace(value: unknown): value is HandlesNamespace {
  // a class that is exported but not declared is here too, as a function without this method
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    'newUniqueId' in value
  )
}

/**
 * What an author's code threw inside an object, as plain data without secrets: over RPC an error loses
 * its class, its fields and its cause.
 */
type ThrownReport =
  | {
      readonly kind: 'error'
      readonly name: string
      readonly message: string
      readonly stack: string
      readonly fields: object
      readonly cause: ThrownReport | null
    }
  | { readonly kind: 'value'; readonly value: unknown }

function toThrownReport(thrown: unknown, log: () => WorkerLog): ThrownReport {
  return toReport(log().toMasked(thrown))
}

function toReport(masked: unknown): ThrownReport {
  if (!(masked instanceof Error)) return { kind: 'value', value: masked }
  const { name, message, stack = message } = masked
  const { name: _, cause, ...fields } = Object.fromEntries<unknown>(Object.entries(masked))
  return {
    kind: 'error',
    name,
    message,
    stack,
    fields,
    cause: cause === undefined ? null : toReport(cause),
  }
}

/** Converts a report back to what was thrown. The stack is the object's, where the fault is. */
export function fromThrownReport(report: ThrownReport): unknown {
  if (report.kind === 'value') return report.value
  const { name, message, stack, fields, cause } = report
  const error = new Error(message)
  if (cause !== null) error.cause = fromThrownReport(cause)
  return Object.assign(error, fields, { name, stack })
}
