import { createCheck } from '../schema/check.ts'
import type { InputOf, OutputOf, StandardSchema } from '../schema/standard-schema.ts'
import { type Duration, toMilliseconds } from '../util/duration.ts'
import type { CallsOf, ExpiredHandle, HandleKind, HandleScope, HandleVerb } from './handle-kind.ts'
import { checkHandleDefinition } from './handle-problems.ts'

/** How long a handle lives at most, by default. */
const defaultMax = '30d'

/** What {@link defineHandle} returns. Its types flow to the tools that use the handle. */
export interface Handle<
  State = unknown,
  Calls = unknown,
  Args extends readonly unknown[] = readonly unknown[],
  Scope extends HandleScope = HandleScope,
> extends HandleKind {
  readonly scope: Scope
  readonly '~types'?: { readonly state: State; readonly calls: Calls; readonly args: Args }
}

/**
 * Defines a kind of handle: state with a lifetime, which tools create, use and end by an explicit id.
 * With `scope: 'caller'` each caller has one, without an id. Make it the default export of a module
 * under `tools/`, and import it in the tools.
 *
 * Each handle is a Durable Object. Verbs run inside it and are synchronous, therefore atomic: a verb
 * that throws changes nothing. A handle lives for at most 30 days by default.
 *
 * @throws {TypeError} for an invalid name, prefix, lifetime or verb, at definition.
 */
export function defineHandle<
  S extends StandardSchema<unknown, unknown>,
  Args extends readonly unknown[],
  V extends Verbs<OutputOf<S>>,
  Q extends SqlVerbs<OutputOf<S>>,
  const Scope extends HandleScope = 'id',
  const Prefix extends string = '',
>(
  definition: HandleDefinition<S, Args, V, Q, Scope, Prefix> &
    NeedsPrefix<Scope, Prefix> &
    Infers<S, Args, V, Q, Scope, Prefix>,
): Handle<OutputOf<S>, CallsOf<V, Q>, Args, Scope>
export function defineHandle(definition: AnyHandle): HandleKind {
  checkHandleDefinition(definition)
  const { idle, max = defaultMax } = definition
  return {
    kind: 'handle',
    name: definition.name,
    note: toNote(idle, max),
    scope: definition.scope ?? 'id',
    prefix: definition.prefix ?? null,
    createdBy: definition.createdBy ?? null,
    idleMs: toMilliseconds(idle),
    maxMs: toMilliseconds(max),
    perCaller: definition.perCaller ?? null,
    jurisdiction: definition.jurisdiction ?? null,
    tables: definition.tables ?? null,
    checkState: createCheck(definition.state),
    verbs: toVerbs(definition.verbs, definition.sql ?? {}),
    definition,
  }
}

/**
 * The operations on a state. A verb gets the state, which it may change, and then its own arguments.
 * Arguments and results are plain data: text, numbers, booleans, null, undefined, dates, bytes, and
 * arrays, objects, maps and sets of these.
 */
export type Verbs<State> = Readonly<Record<string, (state: State, ...args: never[]) => unknown>>

/** Verbs that also get the SQLite database of the handle, for data too large for one JSON value. */
export type SqlVerbs<State> = Readonly<
  Record<string, (sql: SqlStorage, state: State, ...args: never[]) => unknown>
>

/**
 * Refuses verbs that return a promise: other calls could change the state during an `await`, so that
 * the verb would not be atomic.
 */
type Synchronous<V> = {
  readonly [Name in keyof V]: V[Name] extends (...args: never[]) => infer Result
    ? [Extract<Result, PromiseLike<unknown>>] extends [never]
      ? unknown
      : 'A verb must be synchronous: await in the tool, before or after the verb'
    : unknown
}

/** What an author writes; see {@link defineHandle}. */
export interface HandleDefinition<
  S extends StandardSchema<unknown, unknown>,
  Args extends readonly unknown[],
  V extends Verbs<OutputOf<S>>,
  Q extends SqlVerbs<OutputOf<S>>,
  Scope extends HandleScope,
  Prefix extends string,
> {
  /** Part of the stored data: a handle kind that changes its name loses its handles. */
  readonly name: string
  /** With `'caller'` each caller has one handle of the kind, without an id. */
  readonly scope?: Scope extends 'caller' ? Scope : '`scope` is "caller" or left out'
  /** The start of each id, so that people and models recognize it: 2 to 8 lower-case characters. */
  readonly prefix?: [Scope] extends ['id']
    ? Prefix
    : 'A handle with `scope: "caller"` has no id, so it has no `prefix`'
  /** How many live handles one caller may have. `list` needs it. There is no limit by default. */
  readonly perCaller?: [Scope] extends ['id']
    ? number
    : 'Each caller has one handle with `scope: "caller"`, so it has no `perCaller`'
  /** How long a handle lives without use. */
  readonly idle: Duration
  /** How long a handle lives at most: 30 days by default. */
  readonly max?: Duration
  /**
   * The state is stored as JSON of at most 1 MiB and parsed with this schema at each use, so that
   * defaults apply to states that an earlier version stored. The schema must accept its own output.
   */
  readonly state: S
  /** Returns the first state, from the arguments of `create`. */
  readonly start: (...args: Args) => InputOf<S>
  readonly verbs: V & Synchronous<V>
  /** SQL that creates the tables. It runs before each `sql` verb: use `IF NOT EXISTS`. */
  readonly tables?: string
  readonly sql?: Q & Synchronous<Q>
  /** Where Cloudflare must run and store the handles, such as `eu`. */
  readonly jurisdiction?: DurableObjectJurisdiction
  /** The tool that creates a handle. By default the one with a name such as `create_basket`. */
  readonly createdBy?: string
  // a method, not a property: TypeScript then lets kinds of all types sit in one list
  /**
   * Runs at least once after the state has expired, before it is deleted. If it throws, it runs again, up
   * to six times within about a day; a caller's next handle does not wait for that.
   */
  onExpire?(expired: ExpiredHandle<OutputOf<S>>): void | Promise<void>
}

/**
 * Lets the compiler infer from a second place, and resolves to `unknown`: TypeScript infers nothing
 * from an object that both lacks a required member and has an unknown one, as with a misspelt
 * `verbs`.
 */
type Infers<S, Args extends readonly unknown[], V, Q, Scope, Prefix> = [S] extends [never]
  ? {
      readonly state?: S
      readonly start?: (...args: Args) => unknown
      readonly verbs?: V
      readonly sql?: Q
      readonly scope?: Scope
      readonly prefix?: Prefix
    }
  : unknown

export interface AnyHandle {
  readonly name: string
  readonly scope?: 'caller'
  readonly prefix?: string
  readonly perCaller?: number
  readonly idle: Duration
  readonly max?: Duration
  readonly state: StandardSchema<unknown, unknown>
  start(...args: readonly unknown[]): unknown
  readonly verbs: Functions
  readonly tables?: string
  readonly sql?: Functions
  readonly jurisdiction?: DurableObjectJurisdiction
  readonly createdBy?: string
  onExpire?(expired: ExpiredHandle<unknown>): void | Promise<void>
}

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>

/** Requires `prefix` unless each caller has one handle. */
type NeedsPrefix<Scope extends HandleScope, Prefix extends string> = [Scope] extends ['id']
  ? [Prefix] extends ['']
    ? HandleWithIds
    : unknown
  : HandleOfCaller

/** Named for the compiler error that prints its name. */
interface HandleWithIds {
  readonly prefix: string
}

/** `start` has no arguments with `scope: 'caller'`: the first use creates the handle. */
interface HandleOfCaller {
  readonly start: () => unknown
}

/**
 * Puts the verbs of both kinds into one map without their types. A map, since their names are looked
 * up as they came over RPC.
 */
function toVerbs(verbs: Functions, sql: Functions): ReadonlyMap<string, HandleVerb> {
  return new Map<string, HandleVerb>([
    ...Object.entries(verbs).map(([name, verb]): [string, HandleVerb] => [
      name,
      // `this` is the author's object, so that a verb can call another
      (_sql, state, args): unknown => Reflect.apply(verb, verbs, [state, ...args]),
    ]),
    ...Object.entries(sql).map(([name, verb]): [string, HandleVerb] => [
      name,
      (database, state, args): unknown => Reflect.apply(verb, sql, [database, state, ...args]),
    ]),
  ])
}

const words: ReadonlyMap<string, string> = new Map([
  ['ms', 'millisecond'],
  ['s', 'second'],
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
])

/** Describes the lifetime of a handle in a sentence, for the descriptions that a model reads. */
export function toNote(idle: Duration, max: Duration): string {
  return `Expires after ${toWords(idle)} without use, and ${toWords(max)} after its creation at the latest.`
}

/** Writes a duration in words, in the author's unit: `24 hours` and not one day. */
function toWords(duration: Duration): string {
  const amount = String(Number.parseFloat(duration))
  const word = words.get(duration.replace(/^[\d.]+/, '')) ?? ''
  return `${amount} ${word}${amount === '1' ? '' : 's'}`
}
