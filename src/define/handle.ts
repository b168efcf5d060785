import { createCheck } from '../schema/check.ts'
import type { InputOf, OutputOf, StandardSchema } from '../schema/standard-schema.ts'
import { type Duration, toMilliseconds } from '../util/duration.ts'
import type { CallsOf, ExpiredHandle, HandleKind, HandleScope, HandleVerb } from './handle-kind.ts'
import { checkHandleDefinition } from './handle-problems.ts'

/** How long a handle lives at most, by default. */
const defaultMax = '30d'

/** A kind of handle, with the types that tools infer from its definition. */
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
 * Defines a kind of handle: state with a lifetime, which tools create, use and end by an explicit id;
 * with `scope: 'caller'`, one such state for each caller. Make it the default export of a module
 * under `tools/`, and import it from the tools.
 *
 * Each handle is a Durable Object. Verbs run inside it and are synchronous, therefore atomic: a verb
 * that throws changes nothing. Without a `max` a handle lives for at most 30 days.
 *
 * @throws {TypeError} for an invalid name, prefix, lifetime or verb, at definition.
 */
export function defineHandle<
  S extends StandardSchema<unknown, unknown>,
  V extends Verbs<OutputOf<S>>,
  Q extends SqlVerbs<OutputOf<S>>,
>(
  definition: HandleDefinition<S, readonly [], V, Q> & ByCaller,
): Handle<OutputOf<S>, CallsOf<V, Q>, readonly [], 'caller'>
// the compiler reports mismatches with the last overload
export function defineHandle<
  S extends StandardSchema<unknown, unknown>,
  Args extends readonly unknown[],
  V extends Verbs<OutputOf<S>>,
  Q extends SqlVerbs<OutputOf<S>>,
>(
  definition: HandleDefinition<S, Args, V, Q> & ById,
): Handle<OutputOf<S>, CallsOf<V, Q>, Args, 'id'>
export function defineHandle<
  S extends StandardSchema<unknown, unknown>,
  Args extends readonly unknown[],
  V extends Verbs<OutputOf<S>>,
  Q extends SqlVerbs<OutputOf<S>>,
>(definition: HandleDefinition<S, Args, V, Q> & (ById | ByCaller)): HandleKind {
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
 * The operations on a state. Each verb gets the state, which it may change, then its own arguments.
 * Arguments and results are plain data: text, numbers, booleans, null, undefined, dates, bytes, and
 * arrays, objects, maps and sets of these.
 */
export type Verbs<State> = Readonly<Record<string, (state: State, ...args: never[]) => unknown>>

/** Verbs that also get the SQLite database of their object, for what outgrows one JSON value. */
export type SqlVerbs<State> = Readonly<
  Record<string, (sql: SqlStorage, state: State, ...args: never[]) => unknown>
>

/** Rejects verbs that return a promise: what follows an `await` would not be atomic with the rest. */
type Synchronous<V> = {
  readonly [Name in keyof V]: V[Name] extends (...args: never[]) => infer Result
    ? [Extract<Result, PromiseLike<unknown>>] extends [never]
      ? unknown
      : (...args: never[]) => NotAwaitable
    : unknown
}

/** What no promise is assignable to. */
interface NotAwaitable {
  readonly then?: never
}

/** The members of every kind of handle; see {@link defineHandle}. */
export interface HandleDefinition<
  S extends StandardSchema<unknown, unknown>,
  Args extends readonly unknown[],
  V extends Verbs<OutputOf<S>>,
  Q extends SqlVerbs<OutputOf<S>>,
> {
  /** Stored with each handle: a kind that changes its name loses its handles. */
  readonly name: string
  /** How long a handle lives without being used. */
  readonly idle: Duration
  /** How long a handle lives at most, however often it is used. */
  readonly max?: Duration
  /**
   * A state is stored as JSON of at most 1 MiB and read through this schema each time, so that
   * defaults apply to states that an earlier version stored. The schema must accept its own output.
   */
  readonly state: S
  /** Returns the first state, from the arguments of `create`. */
  readonly start: (...args: Args) => InputOf<S>
  readonly verbs: V & Synchronous<V>
  /** SQL that creates the tables of the `sql` verbs, run before each verb: use `IF NOT EXISTS`. */
  readonly tables?: string
  readonly sql?: Q & Synchronous<Q>
  /** Where Cloudflare must run and store the objects, such as `eu`. */
  readonly jurisdiction?: DurableObjectJurisdiction
  /** The tool that creates handles, where its name is not like `create_basket`. */
  readonly createdBy?: string
  // a method, not a property: TypeScript then accepts kinds of all types in one list
  /** Runs inside the object before an expired state is deleted; retried up to 6 times if it throws. */
  onExpire?(expired: ExpiredHandle<OutputOf<S>>): void | Promise<void>
}

/** A kind with any number of handles, each with its own id. */
export interface ById {
  readonly scope?: never
  /** The beginning of each id, so that people and models see its kind: 2 to 8 lower-case characters. */
  readonly prefix: string
  /** How many live handles one caller may have. Without it there is no limit and no `list`. */
  readonly perCaller?: number
}

/** A kind with one handle for each caller, without an id. */
export interface ByCaller {
  readonly scope: 'caller'
  readonly prefix?: never
  readonly perCaller?: never
}

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>

/** Converts the verbs of both kinds to one map: their names are looked up as they came over RPC. */
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
