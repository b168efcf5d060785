import type { Content, Icon } from '../protocol/content.ts'
import { type Check, createCheck } from '../schema/check.ts'
import {
  type InputOf,
  type OutputOf,
  type Schema,
  type Wrapped,
  noArguments,
} from '../schema/standard-schema.ts'
import type { CallContext, QuestionContext, VisibilityOptions } from './contexts.ts'
import type { AnswersTo, Questions } from './question.ts'
import type { NoInput, SentTo } from './tool.ts'

/** The names of the arguments, or any text if the schema is a plain JSON Schema. */
type ArgumentOf<I extends Schema> = unknown extends InputOf<I> ? string : keyof InputOf<I> & string

/** The context of `messages`. */
export interface PromptContext<Input, Answered> extends CallContext<Input> {
  /** The answers to the questions of `ask`. */
  readonly answers: Answered
}

/** One message of a role. Several contents become several messages of that role. */
export interface RoleMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string | Content | readonly (string | Content)[]
}

/** What `messages` returns. A string is one message of the user. */
export type Messages = string | RoleMessage | readonly (string | RoleMessage)[]

/** What an author writes; see {@link definePrompt}. */
export interface PromptDefinition<
  I extends Schema = Schema,
  Q extends Questions = Questions,
> extends VisibilityOptions {
  /** By default the path of the file under `tools/`, with `_` between folders. */
  readonly name?: string
  /** The name that people see. */
  readonly title?: string
  /** Tells people what the prompt is for. */
  readonly description: string
  readonly icons?: readonly Icon[]
  /** A schema of an object. Clients send only text: use `z.coerce.number()` for a number. */
  readonly input?: I & Wrapped<I>
  readonly complete?: Completers<ArgumentOf<I>>
  // a method, not a property: TypeScript then lets prompts of all types sit in one list
  /** Returns the questions to ask before `messages`. It must not change anything. */
  ask?(context: CallContext<OutputOf<I>> & QuestionContext): Q | Promise<Q>
  messages(context: PromptContext<OutputOf<I>, AnswersTo<Q>>): Messages | Promise<Messages>
}

/** Resolves to `unknown`; see `Infers` in tool.ts. */
type Infers<I, Q> = [I] extends [never]
  ? { readonly input?: I; ask?(context: never): Q | Promise<Q> }
  : unknown

/** What {@link definePrompt} returns. Its types flow to those who get the prompt from code. */
export interface Prompt<Arguments = unknown, Q = unknown> {
  readonly kind: 'prompt'
  readonly definition: PromptDefinition
  readonly checkInput: Check
  /** Only for the compiler. */
  readonly '~types'?: { readonly arguments: Arguments; readonly questions: Q }
}

/**
 * Defines a prompt. Make it the default export of a module under `tools/`: the file's name is the
 * prompt's name.
 *
 * The specification's page is server/prompts.
 */
export function definePrompt<
  I extends Schema = NoInput,
  Q extends Questions = Record<never, never>,
>(definition: PromptDefinition<I, Q> & Infers<I, Q>): Prompt<SentTo<I>, Q>
export function definePrompt(definition: PromptDefinition): Prompt {
  return { kind: 'prompt', definition, checkInput: createCheck(definition.input ?? noArguments) }
}

/** The context of a completer (server/utilities/completion). */
export interface CompleteContext {
  /** The text that the user has typed so far. It may be empty. */
  readonly value: string
  /** The other arguments that the user has already chosen, as unchecked text. */
  readonly chosen: Readonly<Record<string, string>>
  readonly env: Cloudflare.Env
  /** Aborts at the time limit and when the client disconnects: pass it to `fetch`. */
  readonly signal: AbortSignal
}

/**
 * Suggestions, the best first. The first 100 are sent. `total` is the number of all suggestions, if
 * `values` has only some of them.
 */
export type Suggestions =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number }

/** Suggests values for one argument of a prompt or one variable of a URI template. */
export type Completer = (context: CompleteContext) => Suggestions | Promise<Suggestions>

/** Completers by argument. An argument whose schema has an `enum` does not need one. */
export type Completers<Name extends string> = { readonly [Key in Name]?: Completer }
