import type { HandleKind } from '../define/handle-kind.ts'
import type { Checked } from '../schema/check.ts'
import { Refused } from './handle-answer.ts'
import { toData } from './handle-data.ts'

/** How many bytes of JSON a state may have. A row may have 2 MB, and the rest belongs to `sql`. */
export const maxStateBytes: number = 1024 * 1024

/**
 * The state that is stored, through the kind's schema as it is today.
 *
 * @throws {Refused} where it does not fit; the reasons go to the log.
 */
export function readState(kind: HandleKind, stored: Uint8Array): unknown {
  const checked = check(kind, JSON.parse(new TextDecoder().decode(stored)))
  if (checked.ok) return checked.value
  const { problems } = checked
  console.error(JSON.stringify({ level: 'error', what: `unreadable ${kind.name}`, problems }))
  throw new Refused({ kind: 'unreadable' })
}

/**
 * The state that a new handle begins with.
 *
 * @throws {TypeError} where `start` gave what the schema refuses or what is no plain data, and
 *   whatever `start` throws.
 */
export function toFirstState(kind: HandleKind, args: readonly unknown[]): unknown {
  const started = toData(kind.definition.start(...args), `start of ${kind.name} returned`)
  const checked = check(kind, started)
  if (checked.ok) return checked.value
  throw new TypeError(`start of ${kind.name} gave an unfit state: ${checked.problems.join(' ')}`)
}

/**
 * The bytes to store, once it is sure that they can be read again.
 *
 * @throws {TypeError} where a verb left what the schema refuses or JSON cannot carry.
 * @throws {Refused} where it is too large.
 */
export function toStoredState(kind: HandleKind, state: unknown): Uint8Array {
  const json: string | undefined = JSON.stringify(state)
  if (json === undefined) throw new TypeError(`${kind.name} has a state that JSON cannot carry.`)
  const bytes = new TextEncoder().encode(json)
  if (bytes.length > maxStateBytes) throw new Refused({ kind: 'too-large', bytes: bytes.length })
  // checked as it will be read: JSON turns a NaN into null and a Date into text
  const checked = check(kind, JSON.parse(json))
  if (checked.ok) return bytes
  throw new TypeError(`A verb left ${kind.name} in an unfit state: ${checked.problems.join(' ')}`)
}

function check({ name, checkState }: HandleKind, value: unknown): Checked {
  const checked = checkState(value)
  // waiting here would let another verb in between reading and writing
  if (checked instanceof Promise) {
    throw new TypeError(
      `The state of ${name} has a schema that checks asynchronously: verbs cannot.`,
    )
  }
  return checked
}
