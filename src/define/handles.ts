import type { HandleScope } from './handle-kind.ts'
import type { Handle } from './handle.ts'

/** One of the caller's handles. */
export interface ListedHandle {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/**
 * Handles as a tool works with them. Unknown, expired, ended and malformed ids and those of other
 * callers cause the same ToolError, which names the tool that creates a new handle.
 */
export interface Handles {
  /** Creates a handle from the arguments of its kind's `start`. */
  readonly create: <State, Calls, Args extends readonly unknown[]>(
    kind: Handle<State, Calls, Args, 'id'>,
    ...args: Args
  ) => Promise<HandleStub<Handle<State, Calls, Args, 'id'>>>
  /** Opens a handle by its id, or the caller's own. No object is called until a verb is. */
  readonly open: <H extends Handle>(kind: H, ...id: IdOf<H>) => HandleStub<H>
  /** Returns a copy of a handle's state. */
  readonly read: <H extends Handle>(kind: H, ...id: IdOf<H>) => Promise<StateOf<H>>
  /** Returns the caller's live handles of a kind that has `perCaller`, oldest first. */
  readonly list: <State, Calls, Args extends readonly unknown[]>(
    kind: Handle<State, Calls, Args, 'id'>,
  ) => Promise<readonly ListedHandle[]>
}

/** What a handle's `read` returns: a copy. */
export type StateOf<H> = H extends Handle<infer State> ? Readonly<State> : never

/** The arguments after the kind where a handle is opened: its id, where it has one. */
export type IdOf<H> =
  H extends Handle<unknown, unknown, readonly unknown[], infer Scope>
    ? Scope extends 'caller'
      ? readonly []
      : readonly [id: string]
    : never

type Identified<Scope extends HandleScope> = Scope extends 'caller'
  ? unknown
  : { readonly id: string }

/** A handle that can only be read, as `ask` gets it. */
export type HandleReader<H> =
  H extends Handle<infer State, unknown, readonly unknown[], infer Scope>
    ? Identified<Scope> & { read(): Promise<Readonly<State>> }
    : never

/** A handle with its verbs. Each call goes to the handle's object and back. */
export type HandleStub<H> =
  H extends Handle<unknown, infer Calls>
    ? HandleReader<H> & Calls & { end(): Promise<void> }
    : never

/** A handle that a tool can be called without; see {@link optional}. */
export interface Optional<H extends Handle> {
  readonly kind: 'optional'
  readonly handle: H
}

/** The handles that a tool takes, each under the name of the argument that carries its id. */
export type Uses = Readonly<Record<string, Handle | Optional<Handle>>>

/** The handles as `run` gets them. */
export type Opened<U extends Uses> = {
  readonly [Name in keyof U]: U[Name] extends Optional<infer H>
    ? HandleStub<H> | undefined
    : HandleStub<U[Name]>
}

/** The handles as `ask` gets them: it may change nothing. */
export type Readable<U extends Uses> = {
  readonly [Name in keyof U]: U[Name] extends Optional<infer H>
    ? HandleReader<H> | undefined
    : HandleReader<U[Name]>
}

/** Makes a handle optional: a tool can be called without it, and it is `undefined` under `use` then. */
export function optional<H extends Handle>(handle: H): Optional<H> {
  return { kind: 'optional', handle }
}
