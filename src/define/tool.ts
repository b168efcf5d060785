import type { Content, Icon } from '../protocol/content.ts'
import type { JsonObject } from '../protocol/json.ts'
import { type Check, createCheck, createOutputCheck } from '../schema/check.ts'
import {
  type InputOf,
  type OutputOf,
  type Schema,
  type StandardSchema,
  type Undeclared,
  type Wrapped,
  noArguments,
} from '../schema/standard-schema.ts'
import type { Duration } from '../util/duration.ts'
import type {
  AskContext,
  CachedRunContext,
  RunContext,
  VisibilityOptions,
  WithCaller,
} from './contexts.ts'
import type { HandleIds, Uses } from './handles.ts'
import type { AnswersTo, Questions } from './question.ts'
import type { Reply } from './reply.ts'

/** The `input` of a definition that has none: an empty object. */
export type NoInput = StandardSchema<
  Undeclared<'add `input` to the definition, such as `input: z.object({ ... })`'>
>

/** What a client sends by a schema. A plain JSON Schema has no type: any object is accepted. */
export type SentTo<I extends Schema> =
  Same<I, NoInput> extends true
    ? Readonly<Record<string, never>>
    : unknown extends InputOf<I>
      ? JsonObject
      : InputOf<I>

type Same<A, B> = [A, B] extends [B, A] ? true : false

type Flat<T> = { [Key in keyof T]: T[Key] }

/** The `output` of a tool that has none: it returns text or content, not a structured value. */
interface NoOutput extends StandardSchema<string> {
  readonly '~none'?: true
}

/** Hints for clients, which must not rely on them (server/tools, "Tool"). */
export interface ToolHints {
  /** The tool changes nothing. */
  readonly readOnly?: boolean
  /** The tool may delete or overwrite data. Clients often ask the user first. */
  readonly destructive?: boolean
  /** A second call with the same arguments has no further effect. */
  readonly idempotent?: boolean
  /** The tool reaches systems beyond this server, such as the web. */
  readonly openWorld?: boolean
}

/** The names of the `[[ratelimits]]` bindings in `Cloudflare.Env`. */
export type LimitName = [RateLimitBinding] extends [never]
  ? 'No [[ratelimits]] in Cloudflare.Env: add one to wrangler.toml and run `npx wrangler types --include-runtime=false`'
  : RateLimitBinding

type RateLimitBinding = {
  [Name in keyof Cloudflare.Env]: Cloudflare.Env[Name] extends RateLimit ? Name : never
}[keyof Cloudflare.Env]

/** What a tool without `output` returns. */
type Unstructured = string | Content | readonly Content[]

/**
 * What `run` may return. Without `output` the type of `run` accepts any object, so that the compiler
 * reports the missing `output` instead of the return value: see {@link NeedsOutput}.
 */
type Returned<O extends Schema, Result> = [O] extends [NoOutput]
  ? Result
  : Structured<O> | Promise<Structured<O>>

type Structured<O extends Schema> = ReadonlyDeep<InputOf<O>> | Reply<ReadonlyDeep<InputOf<O>>>

/**
 * The same type, read-only: the `const Result` of {@link defineTool} makes literals read-only. Arrays
 * have their own branch because the compiler otherwise finds `z.json()` "excessively deep".
 */
type ReadonlyDeep<T> = unknown extends T
  ? T
  : T extends readonly unknown[]
    ? number extends T['length']
      ? readonly ReadonlyDeep<T[number]>[]
      : { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
    : T extends object
      ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
      : T

/** Requires `output` where `run` returns an object that is not content. */
type NeedsOutput<O extends Schema, Result> = [O] extends [NoOutput]
  ? [Awaited<Result>] extends [Unstructured]
    ? unknown
    : [Awaited<Result>] extends [Unstructured | object]
      ? ToolThatReturnsAnObject
      : { run(context: never): Unstructured | Promise<Unstructured> }
  : unknown

/** Named for the compiler error that prints its name. */
interface ToolThatReturnsAnObject {
  readonly output: Schema
}

/**
 * Lets the compiler infer from a second place, and resolves to `unknown`: see `Infers` in
 * handle.ts. Otherwise a misspelt `description` would report the wrong members.
 */
type Infers<I, O, Q, U, C, R> = [I] extends [never]
  ? {
      readonly input?: I
      readonly output?: O
      readonly uses?: U
      readonly cache?: C
      readonly hints?: { readonly readOnly?: R }
      ask?(context: never): Q | Promise<Q>
    }
  : unknown

/** The context of `run`. A tool with `cache` has less: its result is used for other calls. */
type RunContextOf<
  I extends Schema,
  Q extends Questions,
  U extends Uses,
  C extends Duration,
  S extends boolean,
> = [C] extends [never]
  ? RunContext<OutputOf<I>, AnswersTo<Q>, U>
  : [S] extends [false]
    ? CachedRunContext<OutputOf<I>> & WithCaller
    : CachedRunContext<OutputOf<I>>

/** What an author writes; see {@link defineTool}. */
export interface ToolDefinition<
  I extends Schema = Schema,
  O extends Schema = Schema,
  Q extends Questions = Questions,
  U extends Uses = Uses,
  C extends Duration = Duration,
  S extends boolean = boolean,
  R extends boolean = boolean,
  Result = unknown,
> extends VisibilityOptions {
  /** By default the path of the file under `tools/`, with `_` between folders. */
  readonly name?: string
  /** The name that people see. */
  readonly title?: string
  /** Tells the model what the tool does and when to call it. */
  readonly description: string
  readonly icons?: readonly Icon[]
  readonly input?: I & Wrapped<I>
  readonly output?: O & Wrapped<O>
  readonly hints?: ToolHints & { readonly readOnly?: R }
  /**
   * How often the tool may be called: the name of a `[[ratelimits]]` binding (approximate, one count
   * for each caller) or an exact limit. A call above the limit fails and says when to retry.
   */
  readonly limit?: LimitName | ExactLimit
  /** How many calls of one caller may run at the same time. */
  readonly parallel?: number
  /**
   * By default invisible characters and the values of secrets in `env` are removed from results.
   * `false` turns this off; a function replaces the rules for texts.
   */
  readonly sanitize?: false | ((text: string) => string)
  /** How long one call may take: 30 seconds by default. */
  readonly timeout?: Duration
  /**
   * How long a result is cached for the same arguments. Errors are not cached. A cached result is sent
   * without calling `run`, so it may depend only on the context that `run` has here.
   */
  readonly cache?: [R] extends [true] ? C : 'A tool with `cache` needs `hints: { readOnly: true }`'
  /** How much longer the old result may be sent while a new one is computed. */
  readonly stale?: [C] extends [never] ? '`stale` needs `cache`' : Duration
  /** One result for all callers: `run` has no `caller`. */
  readonly shared?: [C] extends [never] ? '`shared` needs `cache`' : S
  /** The handles that the tool works on, by the name of the argument that takes the id. */
  readonly uses?: U
  /** Returns the questions to ask before `run`. Write it before `run`: types are inferred in order. */
  ask?(context: AskContext<OutputOf<I>, U>): Q | Promise<Q>
  run(context: RunContextOf<I, Q, U, C, S>): Returned<O, Result>
}

/** What a cached result cannot depend on. */
type Keepable<C extends Duration> = [C] extends [never]
  ? unknown
  : {
      readonly uses?: 'A tool with `cache` cannot use handles: their state changes while a result is cached'
      readonly ask?: 'A tool with `cache` cannot ask: an answer belongs to one call'
    }

type AnyTool =
  | (ErasedTool<never, false> & LiveMembers)
  | (ErasedTool<Duration, true> & { readonly cache: Duration; readonly shared: true })
  | (ErasedTool<Duration, false> & { readonly cache: Duration; readonly shared?: false })

type ErasedTool<C extends Duration, S extends boolean> = ToolDefinition<
  Schema,
  Schema,
  Questions,
  Uses,
  C,
  S,
  true
>

interface LiveMembers {
  readonly cache?: never
  readonly stale?: never
  readonly shared?: never
}

/** What {@link defineTool} returns. Its types flow to those who call the tool from code. */
export interface Tool<Arguments = unknown, Value = unknown, Q = unknown> {
  readonly kind: 'tool'
  readonly definition: AnyTool
  readonly checkInput: Check
  readonly checkOutput: Check | null
  /** Only for the compiler: the arguments, the structured value and the questions. */
  readonly '~types'?: {
    readonly arguments: Arguments
    readonly value: Value
    readonly questions: Q
  }
}

/** The arguments as a client sends them, with the ids of the handles in `uses`. */
type ArgumentsOf<I extends Schema, U extends Uses> = [keyof U] extends [never]
  ? SentTo<I>
  : Flat<(Same<I, NoInput> extends true ? unknown : SentTo<I>) & HandleIds<U>>

/** The value that a client receives; `undefined` for a tool without `output`. */
type ValueOf<O extends Schema> = Same<O, NoOutput> extends true ? undefined : OutputOf<O>

/**
 * Defines a tool. Make it the default export of a module under `tools/`: the file's name is the
 * tool's name, and folders are joined with `_` (`tools/billing/refund.ts` is `billing_refund`).
 *
 * The specification's page is server/tools.
 */
export function defineTool<
  I extends Schema = NoInput,
  O extends Schema = NoOutput,
  Q extends Questions = Record<never, never>,
  U extends Uses = Record<never, never>,
  const C extends Duration = never,
  const S extends boolean = false,
  const R extends boolean = false,
  const Result extends Unstructured | object = string,
>(
  definition: ToolDefinition<I, O, Q, U, C, S, R, Result> &
    NeedsOutput<O, Result> &
    Keepable<C> &
    Infers<I, O, Q, U, C, R>,
): Tool<ArgumentsOf<I, U>, ValueOf<O>, Q>
export function defineTool(definition: AnyTool): Tool {
  return {
    kind: 'tool',
    definition,
    checkInput: createCheck(definition.input ?? noArguments),
    checkOutput: definition.output === undefined ? null : createOutputCheck(definition.output),
  }
}

/**
 * How often a tool may be called, counted exactly in a Durable Object: a token bucket that holds
 * `tokens` calls and regains one every `per / tokens`. A full bucket allows all of them at once.
 */
export interface ExactLimit {
  readonly tokens: number
  readonly per: Duration
  /**
   * Which calls share a bucket: those of one `caller` to this tool (the default), those of all callers
   * to this `tool`, or those to `all` tools with the same `tokens` and `per`. An anonymous caller is
   * identified by the client address.
   */
  readonly by?: 'caller' | 'tool' | 'all'
}
