import type { Handle } from './handle.ts'
import type { HandleReader, HandleStub } from './handle-stub.ts'

/** A handle that a tool can also do without; made by {@link optional}. */
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

/** The handles as `ask` gets them: questions are asked before anything is done. */
export type Readable<U extends Uses> = {
  readonly [Name in keyof U]: U[Name] extends Optional<infer H>
    ? HandleReader<H> | undefined
    : HandleReader<U[Name]>
}

/** Lets a tool be called without this handle; then it is `undefined` under `use`. */
export function optional<H extends Handle>(handle: H): Optional<H> {
  return { kind: 'optional', handle }
}
