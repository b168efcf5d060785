import type { Check } from '../schema/check.ts'
import type { ExpiredHandle, HandleScope } from './handle.ts'

/** A verb without its types. It throws what the author's throws. */
export type Verb = (sql: SqlStorage, state: unknown, args: readonly unknown[]) => unknown

/** A kind of handle as the rest of Helve sees it, its types erased and its check made. */
export interface HandleKind {
  readonly kind: 'handle'
  readonly name: string
  /** How long a handle lives, as a sentence for descriptions. */
  readonly note: string
  readonly scope: HandleScope
  /** `null` where there are no ids. */
  readonly prefix: string | null
  readonly createdBy: string | null
  readonly idleMs: number
  readonly maxMs: number
  readonly perCaller: number | null
  readonly jurisdiction: DurableObjectJurisdiction | null
  readonly tables: string | null
  readonly checkState: Check
  readonly verbs: ReadonlyMap<string, Verb>
  readonly definition: {
    start(...args: readonly unknown[]): unknown
    onExpire?(expired: ExpiredHandle<unknown>): void | Promise<void>
  }
}

/** What the build knows of one kind. Its module is imported when an object first needs it. */
export interface HandleEntry {
  readonly name: string
  readonly load: () => Promise<{ readonly default: HandleKind }>
}

/** The verbs as tools call them: in another place, so that each result is a promise. */
export type CallsOf<V, Q> = {
  readonly [Name in keyof V]: V[Name] extends (state: never, ...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Result>
    : never
} & SqlCallsOf<Q>

// without `sql` there is nothing to infer from, and TypeScript falls back to "any name"
type SqlCallsOf<Q> = string extends keyof Q
  ? unknown
  : {
      readonly [Name in keyof Q]: Q[Name] extends (
        sql: SqlStorage,
        state: never,
        ...args: infer Args
      ) => infer Result
        ? (...args: Args) => Promise<Result>
        : never
    }

/** Tells which tool creates handles of a kind, or `null` where none is known to. */
export type CreatorOf = (kind: HandleKind) => string | null

/**
 * Finds the tool that creates handles of a kind by its name: it has the words of the kind's name and
 * the word `create`, and no others, as `create_basket`, `basket.create` and `basket-create` do.
 */
export function findCreator(kind: HandleKind, tools: readonly string[]): string | null {
  if (kind.createdBy !== null) return kind.createdBy
  const wanted = toWords(`create_${kind.name}`)
  return tools.toSorted().find((tool) => toWords(tool) === wanted) ?? null
}

function toWords(name: string): string {
  return name
    .toLowerCase()
    .split(/[._-]+/)
    .toSorted()
    .join(' ')
}
