import { ToolError } from '../define/tool-error.ts'
import { toDetail } from '../kit/incident.ts'

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
