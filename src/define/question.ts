import type { InputRequest } from '../protocol/input-request.ts'
import { type Json, findJsonLoss, isJsonObject, isPlain } from '../protocol/json.ts'
import type { Undeclared } from '../schema/standard-schema.ts'

/** The client capability that a question needs; see {@link AskedQuestion}. */
export type AskingCapability =
  | 'form'
  | 'link'
  | 'sample'
  /** Sampling with `tools` or `toolChoice`. */
  | 'sampleTools'
  /** Sampling with `includeContext`, except for `'none'`. */
  | 'sampleContext'
  | 'roots'

/** The result of reading a client's response to a question. */
export type AnswerRead =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'declined'; readonly action: 'decline' | 'cancel' }
  /** The question is asked again, with `why` for the user. */
  | { readonly kind: 'invalid'; readonly why?: string }

interface Answerable<Answer> {
  readonly read: (response: unknown) => AnswerRead | Promise<AnswerRead>
  /** Only for the compiler: the type of the answer. Never set at run time. */
  readonly '~answer'?: { readonly type: Answer }
}

/** A question that the client answers: its user, its model or its settings. */
export interface AskedQuestion<Answer> extends Answerable<Answer> {
  readonly request: InputRequest
  readonly capability: AskingCapability
  /** Further capabilities, which the options of the request need. */
  readonly needs?: readonly AskingCapability[]
  /**
   * What happens to an answer without the sealed proof that this caller was asked this question. It
   * is ignored unless the author accepts it.
   */
  readonly unasked: 'ignore' | 'accept'
}

/** A question that is not sent: its answer is the value of the first round. */
export interface CarriedQuestion<Answer> extends Answerable<Answer> {
  readonly request: null
  readonly carried: Json
}

/**
 * A question that is answered before a call runs (basic/patterns/mrtr). Each kind of question has its
 * own request to the client and its own reading of the response.
 */
export type Question<Answer> = AskedQuestion<Answer> | CarriedQuestion<Answer>

/** What `ask` returns: questions by a key of your choice. `undefined` is not asked. */
export type Questions = Readonly<Record<string, Question<unknown> | undefined>>

/** The type of the answer to a question. */
export type AnswerOf<Q> = Q extends Question<infer Answer> ? Answer : never

/**
 * The answers to the questions that `ask` returns. The answer to a question that is asked only in
 * some cases is optional.
 */
export type Answers<Q> = Flat<
  { readonly [Key in CertainKey<Q>]: AnswerOf<Member<Q, Key>> } & {
    readonly [Key in Exclude<AnyKey<Q>, CertainKey<Q>>]?: AnswerOf<Member<Q, Key>>
  }
>

/** The `answers` of a context. Without questions it is an object that explains their absence. */
export type AnswersTo<Q> = [AnyKey<Q>] extends [never]
  ? Undeclared<'`ask` returns the questions, and must come before the function that reads `answers`'>
  : Answers<Q>

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
 * Keeps a value from the first round to the last, sealed in the state that the client returns. The
 * answer is always the value of the first round: a price that must not change while the user decides,
 * or the token in a {@link link}. The user is not asked, but the call takes at least one more round.
 * The value counts towards the state, which has room for about 5,900 bytes of JSON.
 *
 * The specification's page is basic/patterns/mrtr, "InputRequiredResult".
 *
 * @throws {TypeError} for a value that JSON does not preserve, such as a Date.
 */
export function carry<Value extends Json>(value: Value): CarriedQuestion<Value> {
  // first, because the check below would never end in a circle
  if (findJsonLoss(value) !== null || !isJson(value)) {
    throw new TypeError(
      'carry() received a value that JSON does not preserve, such as a function or a Date. ' +
        'Carry strings, finite numbers, true, false, null, or plain objects and arrays of them.',
    )
  }
  return {
    request: null,
    carried: value,
    read: (answer) => ({ kind: 'answered', answer }),
  }
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (Array.isArray(value)) return value.every(isJson)
  // JSON omits a member that is undefined, which reads the same
  return (
    isJsonObject(value) &&
    isPlain(value) &&
    Object.values(value).every((part) => part === undefined || isJson(part))
  )
}
