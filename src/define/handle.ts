import { createCheck } from '../schema/check.ts'
import type { InputOf, OutputOf, StandardSchema } from '../schema/standard-schema.ts'
import { type Duration, toMilliseconds } from '../util/duration.ts'
import type { CallsOf, HandleKind, HandleScope, Verb } from './handle-kind.ts'
import { checkDefinition } from './handle-problems.ts'

/** How long a handle lives at most, unless its definition says otherwise. */
const defaultMax = '30d'

/** A kind of handle, with the types that flow from its definition to the tools that use it. */
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
 * Defines a kind of handle: state with a lifetime that tools make, use and end by an explicit id, or
 * with `scope: 'caller'` one such state for each caller. Make it the default export of a module
 * under `tools/`, and import it from the tools.
 *
 * Each handle is a Durable Object. Verbs run inside it and are synchronous, therefore atomic: one
 * that throws changes nothing. Without a `max` a handle lives for at most 30 days.
 *
 * @throws {TypeError} for a name, prefix, lifetime or verb that cannot be, at definition.
 */
export function defineHandle<
  S extends StandardSchema<unknown, unknown>,
  V extends Verbs<OutputOf<S>>,
  Q extends SqlVerbs<OutputOf<S>>,
>(
  definition: HandleDefinition<S, readonly [], V, Q> & ByCaller,
): Handle<OutputOf<S>, CallsOf<V, Q>, readonly [], 'caller'>
// the last one is the one whose misfits the compiler reports
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
  checkDefinition(definition)
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
 * What can be done to a state. Each verb gets the state to change, then its own arguments. Arguments
 * and results are plain data: text, numbers, booleans, null, undefined, dates, bytes, and arrays,
 * objects, maps and sets of these.
 */
export type Verbs<State> = Readonly<Record<string, (state: State, ...args: never[]) => unknown>>

/** Verbs that also get the SQLite database of their object, for what outgrows one JSON value. */
export type SqlVerbs<State> = Readonly<
  Record<string, (sql: SqlStorage, state: State, ...args: never[]) => unknown>
>

/**
 * Refuses verbs that return a promise: what comes after an `await` would no longer be one with what
 * came before it.
 */
type Synchronous<V> = {
  readonly [Name in keyof V]: V[Name] extends (...args: never[]) => infer Result
    ? [Extract<Result, PromiseLike<unknown>>] extends [never]
      ? unknown
      : (...args: never[]) => NotAwaitable
    : unknown
}

/** What no promise is. */
interface NotAwaitable {
  readonly then?: never
}

/** What is gone, for `onExpire` to clear up after. */
export interface Expired<State> {
  readonly state: State
  readonly env: Cloudflare.Env
}

/** What an author writes of every kind of handle; see {@link defineHandle}. */
export interface HandleDefinition<
  S extends StandardSchema<unknown, unknown>,
  Args extends readonly unknown[],
  V extends Verbs<OutputOf<S>>,
  Q extends SqlVerbs<OutputOf<S>>,
> {
  /** Part of what is stored: a kind that changes its name loses its handles. */
  readonly name: string
  /** How long a handle lives without being used. */
  readonly idle: Duration
  /** How long a handle lives in any case. */
  readonly max?: Duration
  /**
   * A state is stored as JSON of at most 1 MiB and read through this schema each time, so that
   * defaults reach states that an earlier version stored. What it reads it must also accept.
   */
  readonly state: S
  /** The first state, from the arguments of `create`. */
  readonly start: (...args: Args) => InputOf<S>
  readonly verbs: V & Synchronous<V>
  /** SQL that makes the tables of the `sql` verbs, run before each of them: `IF NOT EXISTS`. */
  readonly tables?: string
  readonly sql?: Q & Synchronous<Q>
  /** Where Cloudflare must run and store the objects, such as `eu`. */
  readonly jurisdiction?: DurableObjectJurisdiction
  /** The tool that creates one, where its name does not say so as `create_basket` does. */
  readonly createdBy?: string
  // a method, not a property: TypeScript then lets kinds of all types sit in one list
  /** Runs inside the object before an expired state is deleted; again if it throws, up to 6 times. */
  onExpire?(expired: Expired<OutputOf<S>>): void | Promise<void>
}

/** A kind of which any number exist, each with an id of its own. */
export interface ById {
  readonly scope?: never
  /** Begins each id, so that people and models see what it is of: 2 to 8 lower-case characters. */
  readonly prefix: string
  /** How many live handles one caller may have. Without it there is no limit and no `list`. */
  readonly perCaller?: number
}

/** A kind of which each caller has one, without an id. */
export interface ByCaller {
  readonly scope: 'caller'
  readonly prefix?: never
  readonly perCaller?: never
}

/** Functions of any arguments, by name. */
type Functions = Readonly<Record<string, (...args: never[]) => unknown>>

/**
 * Puts the verbs of both kinds into one map without their types. A map, since their names are looked
 * up as they came over RPC.
 */
function toVerbs(verbs: Functions, sql: Functions): ReadonlyMap<string, Verb> {
  return new Map<string, Verb>([
    ...Object.entries(verbs).map(([name, verb]): [string, Verb] => [
      name,
      // `this` stays what the author sees, so that one verb may call another
      (_sql, state, args): unknown => Reflect.apply(verb, verbs, [state, ...args]),
    ]),
    ...Object.entries(sql).map(([name, verb]): [string, Verb] => [
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

/** The lifetime of a handle as a sentence, for the descriptions that a model reads. */
export function toNote(idle: Duration, max: Duration): string {
  return `Expires after ${toWords(idle)} without use, and ${toWords(max)} after its creation at the latest.`
}

/** A duration in words, in the unit that its author chose: `24 hours` and not one day. */
function toWords(duration: Duration): string {
  const amount = String(Number.parseFloat(duration))
  const word = words.get(duration.replace(/^[\d.]+/, '')) ?? ''
  return `${amount} ${word}${amount === '1' ? '' : 's'}`
}
