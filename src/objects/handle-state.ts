import type { HandleKind } from '../define/handle-kind.ts'
import type { Checked } from '../schema/check.ts'
import { toNotDataSentence } from './handle-sentences.ts'
import { Refused } from './handles-rpc.ts'

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

/**
 * How many bytes may go into or out of a handle at once, at two a character. RPC carries 32 MiB, and
 * some of that is for what goes with a value.
 */
const maxMebibytes = 31
const maxBytes = maxMebibytes * 1024 * 1024

/** What each value takes besides its text or bytes, and never less than RPC needs for that. */
const bytesPerValue = 16

/** How deep a value may be. RPC fails somewhere past 3,000 levels, and so does a circle. */
const maxLevels = 500

/**
 * Copies plain data that is to go into or out of a handle, so that RPC has nothing left to refuse:
 * what RPC refuses after a transaction has changed the state already. RPC also carries functions, as
 * stubs of what stays behind; it breaks on class instances and on objects without a prototype, such
 * as those of `Object.groupBy`, which become plain here.
 *
 * @param deed what somebody did with the value, as "add of basket returned"; it begins the error.
 * @throws {TypeError} for anything that is not plain data, and for too much of it.
 */
export function toData(value: readonly unknown[], deed: string): readonly unknown[]
export function toData(value: unknown, deed: string): unknown
export function toData(value: unknown, deed: string): unknown {
  return createCopier(deed)(value)
}

/** A key of an object, an index of an array, or a word for what has neither. */
type Step = string | number

function createCopier(deed: string): (value: unknown) => unknown {
  // where the copier is just now; only an error makes text of it
  const trail: Step[] = []
  let bytes = 0

  function refuse(what: string, path: readonly Step[] = []): TypeError {
    return new TypeError(toNotDataSentence(deed, what, toPath(path)))
  }

  function spend(more: number): void {
    bytes += bytesPerValue + more
    if (bytes > maxBytes) throw refuse(`more than ${maxMebibytes} MiB`)
  }

  function enter(value: unknown, step: Step): unknown {
    if (trail.push(step) > maxLevels) throw refuse(`more than ${maxLevels} levels`)
    const copied = copy(value)
    trail.pop()
    return copied
  }

  function copy(value: unknown): unknown {
    switch (typeof value) {
      case 'function':
      case 'symbol':
        throw refuse(`a ${typeof value}`, trail)
      case 'object':
        return value === null ? value : copyObject(value)
      case 'string':
        spend(2 * value.length)
        return value
      default:
        // of a bigint, its digits; a number has fewer than there is room for
        spend(typeof value === 'bigint' ? value.toString(16).length : 0)
        return value
    }
  }

  function copyObject(value: object): object {
    if (Array.isArray(value)) {
      // first: its length may be four thousand million with nothing in it
      spend(value.length)
      return Array.from(value, enter)
    }
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null) {
      spend(0)
      // not by assignment, which for `__proto__` would set the prototype
      return Object.fromEntries(Object.entries(value).map(copyMember))
    }
    if (value instanceof Map) {
      spend(0)
      return new Map(Array.from(value, ([key, item]) => [enter(key, 'key'), enter(item, 'value')]))
    }
    if (value instanceof Set) {
      spend(0)
      return new Set(Array.from(value, (item) => enter(item, 'value')))
    }
    const size = toSize(value)
    if (size === null) throw refuse(toKindOfObject(value), trail)
    spend(size)
    return structuredClone(value)
  }

  function copyMember([key, item]: readonly [string, unknown]): readonly [string, unknown] {
    spend(2 * key.length)
    return [key, enter(item, key)]
  }

  return copy
}

/** How many bytes a date or bytes take, at most; `null` for an object that is not plain. */
function toSize(value: object): number | null {
  if (value instanceof Date) return 0
  if (value instanceof ArrayBuffer) return value.byteLength
  // a view of a part takes the whole buffer along
  return ArrayBuffer.isView(value) ? value.buffer.byteLength : null
}

function toKindOfObject(value: object): string {
  const made: unknown = Reflect.get(value, 'constructor')
  const isNamed = typeof made === 'function' && made.name !== ''
  return isNamed ? `an instance of ${made.name}` : 'an object that is not plain'
}

function toPath(trail: readonly Step[]): string {
  const steps = trail.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
  return steps.join('').replace(/^\./, '')
}
