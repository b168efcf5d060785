import type { Duration } from '../kit/duration.ts'
import type { InputOf, OutputOf, StandardSchema } from '../schema/standard.ts'

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
export type Synchronous<V> = {
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
