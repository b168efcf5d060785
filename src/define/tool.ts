import type { Content, Icon } from '../protocol/content.ts'
import { type Check, createCheck, createOutputCheck } from '../schema/check.ts'
import {
  type InputOf,
  type OutputOf,
  type Schema,
  type StandardSchema,
  noArguments,
} from '../schema/standard-schema.ts'
import type { Duration } from '../util/duration.ts'
import type { Asking, Caching, Running, Visible, WithCaller } from './contexts.ts'
import type { Uses } from './handles.ts'
import type { Answers, Questions } from './question.ts'
import type { Reply } from './reply.ts'

/** Stands for a tool without `input`: it takes an empty object. */
export type NoInput = StandardSchema<Record<string, never>>

/** Stands for a tool without `output`: it returns text or content, and no structured value. */
interface NoOutput extends StandardSchema<string> {
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

/** What `run` may return: the value of `output`, or text and content where there is none. */
type Returned<O extends Schema> = [O] extends [NoOutput]
  ? string | Content | readonly Content[]
  : InputOf<O> | Reply<InputOf<O>>

interface Described<I extends Schema, O extends Schema> extends Visible {
  /** Overrides the name that the file's place under `tools/` gives. */
  readonly name?: string
  /** A name for people. */
  readonly title?: string
  /** Written for the model that decides whether to call the tool. */
  readonly description: string
  readonly icons?: readonly Icon[]
  readonly input?: I
  readonly output?: O
  /**
   * How often it may be called: the name of a `[[ratelimits]]` binding, which counts roughly and each
   * caller alone, or an exact limit. A call too many is told when to come again.
   */
  readonly limit?: LimitName | ExactLimit
  /** How many calls a caller may have running at once: for slow tools. */
  readonly parallel?: number
  /**
   * What goes out is cleaned of what nobody sees, and of the Worker's secrets. `false` lets everything
   * out as it is; a function takes the place of the rules for texts.
   */
  readonly sanitize?: false | ((text: string) => string)
  /** How long one call may take; 30 seconds unless said otherwise. */
  readonly timeout?: Duration
}

/** A tool that is run for every call. */
interface LiveTool<
  I extends Schema,
  O extends Schema,
  Q extends Questions,
  U extends Uses,
> extends Described<I, O> {
  readonly cache?: never
  readonly stale?: never
  readonly shared?: never
  readonly hints?: ToolHints
  /** The handles that the tool works on, each under the name of the argument that takes its id. */
  readonly uses?: U
  // methods, not properties: TypeScript then lets tools of all types sit in one list
  /** What has to be asked before anything is done, if anything. It stands before `run`. */
  ask?(context: Asking<OutputOf<I>, U>): Q | Promise<Q>
  run(context: Running<OutputOf<I>, Answers<Q>, U>): Returned<O> | Promise<Returned<O>>
}

interface Cached<I extends Schema, O extends Schema> extends Described<I, O> {
  /**
   * How long a result is kept, for the same arguments. Errors are not. A kept result is sent without
   * a run, so that it depends on nothing but what `run` is given here.
   */
  readonly cache: Duration
  /** How long after that the old result will do, while a new one is made. */
  readonly stale?: Duration
  readonly hints: ToolHints & { readonly readOnly: true }
  readonly uses?: never
  readonly ask?: never
}

/** A tool whose results are kept for everybody who may use it. */
interface SharedTool<I extends Schema, O extends Schema> extends Cached<I, O> {
  /** Nobody is told who the caller is: the result cannot depend on it. */
  readonly shared: true
  run(context: Caching<OutputOf<I>>): Returned<O> | Promise<Returned<O>>
}

/** A tool whose results are kept for each caller alone. */
interface CachedTool<I extends Schema, O extends Schema> extends Cached<I, O> {
  readonly shared?: false
  run(context: Caching<OutputOf<I>> & WithCaller): Returned<O> | Promise<Returned<O>>
}

/** What an author writes; see {@link defineTool}. */
export type ToolDefinition<
  I extends Schema,
  O extends Schema,
  Q extends Questions,
  U extends Uses,
> = LiveTool<I, O, Q, U> | SharedTool<I, O> | CachedTool<I, O>

/** A tool as the rest of Helve sees it, its types erased and its checks made. */
export interface Tool {
  readonly kind: 'tool'
  readonly definition: ToolDefinition<Schema, Schema, Questions, Uses>
  readonly checkInput: Check
  readonly checkOutput: Check | null
}

/**
 * Defines a tool. Make it the default export of a module under `tools/`: the file's name is the
 * tool's name, and folders become dots (`tools/billing/refund.ts` is `billing.refund`).
 *
 * The specification's page is server/tools.
 */
export function defineTool<
  I extends Schema = NoInput,
  O extends Schema = NoOutput,
  Q extends Questions = Record<never, never>,
  U extends Uses = Record<never, never>,
>(definition: ToolDefinition<I, O, Q, U>): Tool {
  return {
    kind: 'tool',
    definition,
    checkInput: createCheck(definition.input ?? noArguments),
    checkOutput: definition.output === undefined ? null : createOutputCheck(definition.output),
  }
}

/**
 * How often a tool may be called, counted exactly in a Durable Object: a bucket that holds `tokens`
 * calls, and gets one back every `per / tokens`. After a rest all of them may come at once.
 */
export interface ExactLimit {
  readonly tokens: number
  readonly per: Duration
  /**
   * Who shares a bucket: each caller has one for this tool (the default), all callers together have
   * one for this `tool`, or `all` tools with the same `tokens` and `per` have one together. A caller
   * who has not signed in is known by the address.
   */
  readonly by?: 'caller' | 'tool' | 'all'
}
