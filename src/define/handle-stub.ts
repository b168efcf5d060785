import type { Handle } from './handle.ts'
import type { HandleScope } from './handle-kind.ts'

/** What a handle's `read` gives: a copy. */
export type StateOf<H> = H extends Handle<infer State> ? Readonly<State> : never

/** What stands after the kind where a handle is opened: its id, where it has one. */
export type IdOf<H> =
  H extends Handle<unknown, unknown, readonly unknown[], infer Scope>
    ? Scope extends 'caller'
      ? readonly []
      : readonly [id: string]
    : never

type Identified<Scope extends HandleScope> = Scope extends 'caller'
  ? unknown
  : { readonly id: string }

/** A handle that can be read and no more, as `ask` gets it. */
export type HandleReader<H> =
  H extends Handle<infer State, unknown, readonly unknown[], infer Scope>
    ? Identified<Scope> & { read(): Promise<Readonly<State>> }
    : never

/** A handle with its verbs. Each call goes to the handle's object and back. */
export type HandleStub<H> =
  H extends Handle<unknown, infer Calls>
    ? HandleReader<H> & Calls & { end(): Promise<void> }
    : never
