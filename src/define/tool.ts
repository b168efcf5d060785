import type { Duration } from '../kit/duration.ts'
import { createCheck, type Check } from '../schema/check.ts'
import { nothing } from '../schema/nothing.ts'
import type { InputOf, OutputOf, Schema, StandardSchema } from '../schema/standard.ts'
import type { Content, Icon } from '../wire/content.ts'
import type { Reply } from './reply.ts'

/** Stands for a tool without `input`: it takes an empty object. */
export type NoInput = StandardSchema<Record<string, never>>

/** Stands for a tool without `output`: it returns text or content, and no structured value. */
export interface NoOutput extends StandardSchema<string> {
  readonly '~none'?: true
}

/** What clients may show or weigh; never a promise they can rely on (server/tools, "Tool"). */
export interface ToolHints {
  /** Changes nothing anywhere. */
  readonly readOnly?: boolean
  /** May delete or overwrite; clients tend to ask the user first. */
  readonly destructive?: boolean
  /** Calling it twice with the same arguments does no more than calling it once. */
  readonly idempotent?: boolean
  /** Reaches beyond this server, such as to the web. */
  readonly openWorld?: boolean
}

/** The names of the `[[ratelimits]]` bindings of this Worker. */
export type LimitName = {
  [Name in keyof Cloudflare.Env]: Cloudflare.Env[Name] extends RateLimit ? Name : never
}[keyof Cloudflare.Env]

/** What `run` works with. Nothing reaches a tool by any other way. */
export interface Running<Input> {
  readonly input: Input
  readonly env: Cloudflare.Env
  /** Aborts at the time limit and when the client has gone: pass it to `fetch`. */
  readonly signal: AbortSignal
}

/** What `run` may return: the value of `output`, or text and content where there is none. */
export type Returned<O extends Schema> = [O] extends [NoOutput]
  ? string | Content | readonly Content[]
  : InputOf<O> | Reply<InputOf<O>>

/** What an author writes; see {@link defineTool}. */
export interface ToolDefinition<I extends Schema, O extends Schema> {
  /** Overrides the name that the file's place under `tools/` gives. */
  readonly name?: string
  /** A name for people. */
  readonly title?: string
  /** Written for the model that decides whether to call the tool. */
  readonly description: string
  readonly icons?: readonly Icon[]
  readonly input?: I
  readonly output?: O
  readonly hints?: ToolHints
  /** The name of a `[[ratelimits]]` binding that counts the calls of each client address. */
  readonly limit?: LimitName
  /** How long one call may take; 30 seconds unless said otherwise. */
  readonly timeout?: Duration
  // a method, not a property: TypeScript then lets tools of all types sit in one list
  run(context: Running<OutputOf<I>>): Returned<O> | Promise<Returned<O>>
}

/** A tool as the rest of Helve sees it, its types erased and its checks made. */
export interface Tool {
  readonly kind: 'tool'
  readonly definition: ToolDefinition<Schema, Schema>
  readonly checkInput: Check
  readonly checkOutput: Check | null
}

/**
 * Defines a tool. Make it the default export of a module under `tools/`: the file's name is the
 * tool's name, and folders become dots (`tools/billing/refund.ts` is `billing.refund`).
 *
 * The specification's page is server/tools.
 */
export function defineTool<I extends Schema = NoInput, O extends Schema = NoOutput>(
  definition: ToolDefinition<I, O>,
): Tool {
  return {
    kind: 'tool',
    definition,
    checkInput: createCheck(definition.input ?? nothing),
    checkOutput: definition.output === undefined ? null : createCheck(definition.output),
  }
}
