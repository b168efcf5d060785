import type { Check } from '../schema/check.ts'

/** Whether a handle is found by an id or by its caller. */
export type HandleScope = 'id' | 'caller'

/** A verb without its types. It throws what the author's verb throws. */
export type HandleVerb = (sql: SqlStorage, state: unknown, args: readonly unknown[]) => unknown

/** A kind of handle as the rest of Helve sees it, without the author's types. */
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
  readonly verbs: ReadonlyMap<string, HandleVerb>
  readonly definition: {
    start(...args: readonly unknown[]): unknown
    onExpire?(expired: ExpiredHandle<unknown>): void | Promise<void>
  }
}

/** What is passed to `onExpire`, before it is deleted. */
export interface ExpiredHandle<State> {
  readonly state: State
  readonly env: Cloudflare.Env
}

export interface HandleEntry {
  readonly name: string
  readonly load: () => Promise<{ readonly default: HandleKind }>
}

/** The verbs as tools call them: from outside the object, so that each result is a promise. */
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

/** Returns the tool that creates handles of a kind; `null` where none is known. */
export type CreatorOf = (kind: HandleKind) => string | null

/**
 * Finds the tool that creates handles of a kind by its name: the words of the kind's name and the word
 * `create`, in any order, as in `create_basket`, `basket.create` and `basket-create`.
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
