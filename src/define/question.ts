import type { InputRequest } from '../protocol/input-request.ts'
import type { Json } from '../protocol/json.ts'

/** What a client must be able to do before it may be asked; see {@link AskedQuestion}. */
export type AskingCapability = 'form' | 'link' | 'sample' | 'roots'

/** What a question makes of a client's response. */
export type AnswerRead =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'declined'; readonly action: 'decline' | 'cancel' }
  | { readonly kind: 'invalid' }

interface Answerable<Answer> {
  readonly read: (response: unknown) => AnswerRead | Promise<AnswerRead>
  /** For the compiler alone: what `read` makes of a good response. Nothing is ever there. */
  readonly '~answer'?: { readonly type: Answer }
}

/** A question to the client: to its user, its model or its settings. */
export interface AskedQuestion<Answer> extends Answerable<Answer> {
  readonly request: InputRequest
  readonly capability: AskingCapability
  /**
   * What becomes of an answer that came without our sealed proof that this caller was asked this
   * very question: it is ignored, unless the author accepts it.
   */
  readonly unasked: 'ignore' | 'accept'
}

/** A question that asks nobody: its answer is the value that the first round carried. */
interface CarriedQuestion<Answer> extends Answerable<Answer> {
  readonly request: null
  readonly carried: Json
}

/**
 * One thing that a call needs to know before it runs (basic/patterns/mrtr). Every kind of question
 * says by itself what the client is asked and how its response is read.
 */
export type Question<Answer> = AskedQuestion<Answer> | CarriedQuestion<Answer>

/** What `ask` returns: questions under keys of the author's own. `undefined` is not asked. */
export type Questions = Readonly<Record<string, Question<unknown> | undefined>>

/** What a question's answer is. */
type AnswerOf<Q> = Q extends Question<infer Answer> ? Answer : never

/**
 * The answers to what `ask` returns. Where a question is there in some cases only, so is its
 * answer, and the compiler wants to see that checked.
 */
export type Answers<Q> = Flat<
  { readonly [Key in CertainKey<Q>]: AnswerOf<Member<Q, Key>> } & {
    readonly [Key in Exclude<AnyKey<Q>, CertainKey<Q>>]?: AnswerOf<Member<Q, Key>>
  }
>

/** The keys of every member of a union, not only those that all members share. */
type AnyKey<Q> = Q extends unknown ? keyof Q : never

type Member<Q, Key extends PropertyKey> = Q extends unknown
  ? Key extends keyof Q
    ? Q[Key]
    : undefined
  : never

type CertainKey<Q> = {
  [Key in AnyKey<Q>]: undefined extends Member<Q, Key> ? never : Key
}[AnyKey<Q>]

type Flat<T> = { [Key in keyof T]: T[Key] }

/**
 * Keeps a value from the first round to the last, sealed in the state that the client brings back.
 * Its answer is the value as it was first carried, whatever a later round carries: a price that must
 * not move while the user decides, or the token in a {@link link}. Nobody is asked, but the client
 * comes again at least once. The value counts towards the 8 KiB of the state.
 *
 * The specification's page is basic/patterns/mrtr, "InputRequiredResult".
 *
 * @throws {TypeError} for a value that would not come back as it is, such as a Date.
 */
export function carry<Value extends Json>(value: Value): CarriedQuestion<Value> {
  if (!isCarriable(value)) {
    throw new TypeError(
      'carry() was given something that JSON cannot bring back as it is, such as a function or a ' +
        'Date. Carry text, finite numbers, true, false, null, or plain objects and arrays of them.',
    )
  }
  return {
    request: null,
    carried: value,
    read: (answer) => ({ kind: 'answered', answer }),
  }
}

function isCarriable(value: unknown): boolean {
  // throws for what holds itself, in which the look at each part would never end
  JSON.stringify(value)
  return isJson(value)
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (Array.isArray(value)) return value.every(isJson)
  // a member that is undefined is left out by JSON, which reads the same
  return isPlain(value) && Object.values(value).every((part) => part === undefined || isJson(part))
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
