import type { Content, Icon } from '../protocol/content.ts'
import { type Check, createCheck } from '../schema/check.ts'
import { type InputOf, type OutputOf, type Schema, noArguments } from '../schema/standard-schema.ts'
import type { Deciding, Visible, Working } from './contexts.ts'
import type { Answers, Questions } from './question.ts'
import type { NoInput } from './tool.ts'

/** The names of a prompt's arguments, as far as its schema tells the compiler. */
type ArgumentOf<I extends Schema> = unknown extends InputOf<I> ? string : keyof InputOf<I> & string

/** What `messages` works with. */
interface Prompting<Input, Answered> extends Working<Input> {
  /** What the user answered to the questions of `ask`. */
  readonly answers: Answered
}

/** One message; with several contents it becomes several messages of the same role. */
interface Spoken {
  readonly role: 'user' | 'assistant'
  readonly content: string | Content | readonly (string | Content)[]
}

/** What `messages` may return: a string is one message of the user. */
export type Messages = string | Spoken | readonly (string | Spoken)[]

/** What an author writes; see {@link definePrompt}. */
export interface PromptDefinition<I extends Schema, Q extends Questions> extends Visible {
  /** Overrides the name that the file's place under `tools/` gives. */
  readonly name?: string
  /** A name for people. */
  readonly title?: string
  /** Written for the person who chooses among the prompts. */
  readonly description: string
  readonly icons?: readonly Icon[]
  /** An object whose members are made of text, as clients send nothing else: `z.coerce.number()`. */
  readonly input?: I
  readonly complete?: Completers<ArgumentOf<I>>
  // a method, not a property: TypeScript then lets prompts of all types sit in one list
  /** What has to be asked before the messages are made, if anything. It only looks things up. */
  ask?(context: Working<OutputOf<I>> & Deciding): Q | Promise<Q>
  messages(context: Prompting<OutputOf<I>, Answers<Q>>): Messages | Promise<Messages>
}

/** A prompt as the rest of Helve sees it, its types erased and its check made. */
export interface Prompt {
  readonly kind: 'prompt'
  readonly definition: PromptDefinition<Schema, Questions>
  readonly checkInput: Check
}

/**
 * Defines a prompt. Make it the default export of a module under `tools/`: the file's name is the
 * prompt's name.
 *
 * The specification's page is server/prompts.
 */
export function definePrompt<
  I extends Schema = NoInput,
  Q extends Questions = Record<string, never>,
>(definition: PromptDefinition<I, Q>): Prompt {
  return { kind: 'prompt', definition, checkInput: createCheck(definition.input ?? noArguments) }
}

/** What a completion works with (server/utilities/completion). */
interface Completing {
  /** What the user has typed so far; may be empty. */
  readonly value: string
  /** The other arguments that the user has chosen already, as text that nobody has checked. */
  readonly chosen: Readonly<Record<string, string>>
  readonly env: Cloudflare.Env
  /** Aborts at the time limit and when the client has gone: pass it to `fetch`. */
  readonly signal: AbortSignal
}

/**
 * Suggestions, the best first. Clients are sent the first hundred; `total` says how many there are
 * where `values` are not all of them.
 */
export type Suggestions =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number }

/** Suggests values for one argument of a prompt or one variable of a URI template. */
export type Completer = (context: Completing) => Suggestions | Promise<Suggestions>

/** A completer for each argument that has one. Those with an `enum` in the schema need none. */
export type Completers<Name extends string> = { readonly [Key in Name]?: Completer }
