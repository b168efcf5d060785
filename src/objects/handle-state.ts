import type { HandleKind } from '../define/handle-kind.ts'
import type { WorkerLog } from '../out/log.ts'
import { toExactJson } from '../protocol/json.ts'
import type { Checked } from '../schema/check.ts'
import { HandleRefusedError } from './handles-rpc.ts'
import { toPlainData } from './plain-data.ts'

/** How many bytes of JSON a state may have. A row may have 2 MB, and the rest belongs to `sql`. */
export const maxStateBytes: number = 1024 * 1024

/**
 * Reads a stored state through the kind's schema as it is today.
 *
 * @throws {HandleRefusedError} where the state does not fit; the reasons go to the log.
 */
export function readStoredState(
  kind: HandleKind,
  stored: Uint8Array,
  log: () => WorkerLog,
): unknown {
  const checked = checkState(kind, JSON.parse(new TextDecoder().decode(stored)))
  if (checked.ok) return checked.value
  const { problems } = checked
  log().write('error', { level: 'error', what: `unreadable state of "${kind.name}"`, problems })
  throw new HandleRefusedError({ kind: 'unreadable' })
}

/**
 * Returns the state that a new handle begins with.
 *
 * @throws {TypeError} where `start` returned what the schema rejects or what is not plain data, and
 *   whatever `start` throws.
 */
export function toFirstState(kind: HandleKind, args: readonly unknown[]): unknown {
  const started = toPlainData(kind.definition.start(...args), `start of ${kind.name} returned`)
  const checked = checkState(kind, started)
  if (checked.ok) return checked.value
  throw new TypeError(
    `\`start\` of the handle "${kind.name}" returned a state that its schema rejects: ${checked.problems.join(' ')}`,
  )
}

/**
 * Returns the bytes to store, once they are known to be readable.
 *
 * @throws {TypeError} where a verb left what the schema rejects or JSON cannot represent.
 * @throws {HandleRefusedError} where the state is too large.
 */
export function toStoredState(kind: HandleKind, state: unknown): Uint8Array {
  const json = toExactJson(`The handle "${kind.name}" has a state`, state)
  const bytes = new TextEncoder().encode(json)
  if (bytes.length > maxStateBytes) {
    throw new HandleRefusedError({ kind: 'too-large', bytes: bytes.length })
  }
  // checked as it will be read: JSON turns a Date into text
  const checked = checkState(kind, JSON.parse(json))
  if (checked.ok) return bytes
  throw new TypeError(
    `A verb of the handle "${kind.name}" left a state that its schema rejects: ${checked.problems.join(' ')}`,
  )
}

function checkState(kind: HandleKind, value: unknown): Checked {
  const checked = kind.checkState(value)
  // waiting here would let another verb in between reading and writing
  if (checked instanceof Promise) {
    throw new TypeError(
      `The state schema of the handle "${kind.name}" checks asynchronously, but verbs are synchronous. ` +
        'Use a schema that checks synchronously.',
    )
  }
  return checked
}
