import type { InputRequest } from '../wire/input.ts'
import type { Json } from '../wire/json.ts'

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
export interface CarriedQuestion<Answer> extends Answerable<Answer> {
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
export type AnswerOf<Q> = Q extends Question<infer Answer> ? Answer : never

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
