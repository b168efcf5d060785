import { ToolError } from '../define/reply.ts'
import type { Claim, ClaimTimes } from '../state/claims.ts'
import { toDetail } from '../out/log.ts'
import type { Indexed } from './handle-index.ts'
import type { LimitObject } from './stored-limit.ts'

/** Whose handle of what kind is meant. */
export interface Addressed {
  readonly kind: string
  /** The digest of who is calling; `null` for nobody. */
  readonly caller: string | null
}

/** What can be asked of a `Handles` object over RPC. Which of it makes sense depends on its id. */
export interface HandlesObject extends LimitObject {
  create(to: Addressed, args: readonly unknown[]): Promise<Answer>
  use(to: Addressed, verb: string, args: readonly unknown[]): Promise<Answer>
  read(to: Addressed): Promise<Answer>
  end(to: Addressed): Promise<Answer>
  peek(): Promise<number | null>
  admit(kind: string, objectId: string, aliveUntil: number, limit: number): Promise<boolean>
  leave(kind: string, objectId: string): Promise<void>
  list(kind: string): Promise<readonly Indexed[]>
  claim(times: ClaimTimes): Promise<Claim>
  look(): Promise<Claim | null>
  finish(result: string): Promise<void>
}

/** The namespace of the `Handles` class. Cloudflare's own type does not know what is in our stubs. */
export interface HandlesNamespace {
  newUniqueId(): DurableObjectId
  idFromName(name: string): DurableObjectId
  idFromString(id: string): DurableObjectId
  jurisdiction(jurisdiction: DurableObjectJurisdiction): HandlesNamespace
  get(id: DurableObjectId): HandlesObject
}

/**
 * Finds the namespace among `ctx.exports`. No binding is needed for it.
 *
 * @throws {TypeError} where the Worker does not export the class or does not declare it.
 */
export function readHandlesNamespace(exports: unknown): HandlesNamespace {
  const found: unknown = Object(exports).Handles
  if (isNamespace(found)) return found
  throw new TypeError(
    'This Worker has no Handles objects, so that it cannot keep state. Export the class beside the ' +
      'Worker (`export const { Handles } = worker`) and name it in wrangler.toml: [[migrations]] ' +
      'with new_sqlite_classes = ["Handles"].',
  )
}

function isNamespace(value: unknown): value is HandlesNamespace {
  // a class that is exported but not declared is here too, as a function without these
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    'newUniqueId' in value
  )
}

/**
 * Why a handle's object did not do what was asked. These cross RPC, where error classes cannot be
 * relied on, so they are values.
 */
export type Refusal =
  /** Unknown, expired, ended, of another kind or somebody else's: outside, all are one. */
  | { readonly kind: 'gone' }
  /** What is stored does not fit the kind's schema any more. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'too-large'; readonly bytes: number }
  /** The verb threw a ToolError: its words are for the model. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The verb failed in a way that its author did not mean; the detail is for the log alone. */
  | { readonly kind: 'fault'; readonly detail: string }

/** What a handle's object answers. */
export type Answer = { readonly kind: 'value'; readonly value: unknown } | Refusal

/** Carries a refusal out of a transaction, which only an exception rolls back. Never crosses RPC. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.kind)
    this.refusal = refusal
  }
}

/** Turns whatever was thrown inside an object into the value that crosses RPC. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal
  if (error instanceof ToolError) return { kind: 'refused', message: error.message }
  return { kind: 'fault', detail: toDetail(error) }
}
