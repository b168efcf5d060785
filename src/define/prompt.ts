import { createCheck, type Check } from '../schema/check.ts'
import { nothing } from '../schema/nothing.ts'
import type { InputOf, OutputOf, Schema } from '../schema/standard.ts'
import type { Content, Icon } from '../wire/content.ts'
import type { Completers } from './completer.ts'
import type { Answers, Questions } from './question.ts'
import type { Deciding, Working } from './running.ts'
import type { NoInput } from './tool.ts'
import type { Visible } from './visible.ts'

/** The names of a prompt's arguments, as far as its schema tells the compiler. */
export type ArgumentOf<I extends Schema> =
  unknown extends InputOf<I> ? string : keyof InputOf<I> & string

/** What `messages` works with. */
export interface Prompting<Input, Answered> extends Working<Input> {
  /** What the user answered to the questions of `ask`. */
  readonly answers: Answered
}

/** One message; with several contents it becomes several messages of the same role. */
export interface Spoken {
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
  return { kind: 'prompt', definition, checkInput: createCheck(definition.input ?? nothing) }
}
