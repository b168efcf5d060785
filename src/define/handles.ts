import type { HandleScope } from './handle-kind.ts'
import type { Handle } from './handle.ts'

/** A handle of the caller. */
export interface ListedHandle {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/**
 * How a tool works with handles. An id that is unknown, expired, ended, malformed or of another caller
 * throws the same ToolError, which names the tool that creates a new handle.
 */
export interface Handles {
  /** Creates a handle from the arguments of its kind's `start`. */
  readonly create: <State, Calls, Args extends readonly unknown[]>(
    kind: Handle<State, Calls, Args, 'id'>,
    ...args: Args
  ) => Promise<HandleStub<Handle<State, Calls, Args, 'id'>>>
  /** Opens a handle by its id, or the caller's own. No request is made before the first verb. */
  readonly open: <H extends Handle>(kind: H, ...id: IdOf<H>) => HandleStub<H>
  /** Returns a copy of the state. */
  readonly read: <H extends Handle>(kind: H, ...id: IdOf<H>) => Promise<StateOf<H>>
  /** Returns the live handles of the caller, oldest first. The kind must have `perCaller`. */
  readonly list: <State, Calls, Args extends readonly unknown[]>(
    kind: Handle<State, Calls, Args, 'id'>,
  ) => Promise<readonly ListedHandle[]>
}

/** The state of a handle as `read` returns it: a copy. */
export type StateOf<H> = H extends Handle<infer State> ? Readonly<State> : never

/** The arguments that identify a handle: its id, or none with `scope: 'caller'`. */
export type IdOf<H> =
  H extends Handle<unknown, unknown, readonly unknown[], infer Scope>
    ? Scope extends 'caller'
      ? readonly []
      : readonly [id: string]
    : never

type Identified<Scope extends HandleScope> = Scope extends 'caller'
  ? unknown
  : { readonly id: string }

/** A handle that can only be read, as in `ask`. */
export type HandleReader<H> =
  H extends Handle<infer State, unknown, readonly unknown[], infer Scope>
    ? Identified<Scope> & { read(): Promise<Readonly<State>> }
    : never

/** A handle with its verbs. Each call is a request to the Durable Object of the handle. */
export type HandleStub<H> =
  H extends Handle<unknown, infer Calls>
    ? HandleReader<H> & Calls & { end(): Promise<void> }
    : never

/** A handle that a call may leave out; see {@link optional}. */
export interface OptionalHandle<H extends Handle> {
  readonly kind: 'optional'
  readonly handle: H
}

/** The handles that a tool works on, by the name of the argument that takes the id. */
export type Uses = Readonly<Record<string, Handle | OptionalHandle<Handle>>>

/** The handles in the context of `run`. */
export type OpenedHandles<U extends Uses> = {
  readonly [Name in keyof U]: U[Name] extends OptionalHandle<infer H>
    ? HandleStub<H> | undefined
    : HandleStub<U[Name]>
}

/** The handles in the context of `ask`, which can only read them. */
export type ReadableHandles<U extends Uses> = {
  readonly [Name in keyof U]: U[Name] extends OptionalHandle<infer H>
    ? HandleReader<H> | undefined
    : HandleReader<U[Name]>
}

/** The ids that `uses` adds to the arguments. A kind with one handle for each caller adds none. */
export type HandleIds<U extends Uses> = {
  readonly [Name in keyof U as U[Name] extends { readonly scope: 'id' } ? Name : never]: string
} & {
  readonly [
    Name in keyof U as U[Name] extends { readonly handle: { readonly scope: 'id' } } ? Name : never
  ]?: string
}

/** Makes a handle optional: in a call without its id it is `undefined` in `use`. */
export function optional<H extends Handle>(handle: H): OptionalHandle<H> {
  return { kind: 'optional', handle }
}
