import { toNotPlainSentence } from './handle-sentences.ts'
import { excerpt } from '../util/excerpt.ts'

/**
 * Copies plain data that goes into or out of a handle, so that RPC does not fail on it: RPC would fail
 * after the transaction, when the state has changed already. RPC also carries functions, as stubs of
 * what stays behind; and it fails on class instances and on objects without a prototype, such as those
 * of `Object.groupBy`, which become plain here.
 *
 * @param action what was done with the value, as "add of basket returned"; the error begins with it.
 * @throws {TypeError} for anything that is not plain data, and for too much of it.
 */
export function toPlainData(value: readonly unknown[], action: string): readonly unknown[]
export function toPlainData(value: unknown, action: string): unknown
export function toPlainData(value: unknown, action: string): unknown {
  return createCopier(action)(value)
}

/**
 * How many bytes may go into or out of a handle at once, at two a character. RPC carries 32 MiB, some
 * of which is for what goes with a value.
 */
const maxMebibytes = 31
const maxBytes = maxMebibytes * 1024 * 1024

/** What each value takes besides its text or bytes: at least what RPC needs. */
const bytesPerValue = 16

/** How deep a value may be. RPC fails somewhere past 3,000 levels, and on a circular value. */
const maxLevels = 500

type PathStep = string | number

function createCopier(action: string): (value: unknown) => unknown {
  // the path to the value being copied: only an error makes text of it
  const path: PathStep[] = []
  let bytes = 0

  function toError(what: string, at: readonly PathStep[] = []): TypeError {
    return new TypeError(toNotPlainSentence(action, what, toPathText(at)))
  }

  function countBytes(more: number): void {
    bytes += bytesPerValue + more
    if (bytes > maxBytes) throw toError(`more than ${maxMebibytes} MiB`)
  }

  function enter(value: unknown, step: PathStep): unknown {
    if (path.push(step) > maxLevels) throw toError(`more than ${maxLevels} levels`)
    const copied = copy(value)
    path.pop()
    return copied
  }

  function copy(value: unknown): unknown {
    switch (typeof value) {
      case 'function':
      case 'symbol':
        throw toError(`a ${typeof value}`, path)
      case 'object':
        return value === null ? value : copyObject(value)
      case 'string':
        countBytes(2 * value.length)
        return value
      default:
        // of a bigint, its digits; a number has fewer than there is room for
        countBytes(typeof value === 'bigint' ? value.toString(16).length : 0)
        return value
    }
  }

  function copyObject(value: object): object {
    if (Array.isArray(value)) {
      // first: its length may be four thousand million with nothing in it
      countBytes(value.length)
      return Array.from(value, enter)
    }
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null) {
      countBytes(0)
      // not by assignment, which for `__proto__` would set the prototype
      return Object.fromEntries(Object.entries(value).map(copyMember))
    }
    if (value instanceof Map) {
      countBytes(0)
      return new Map(Array.from(value, ([key, item]) => [enter(key, 'key'), enter(item, 'value')]))
    }
    if (value instanceof Set) {
      countBytes(0)
      return new Set(Array.from(value, (item) => enter(item, 'value')))
    }
    const size = toSize(value)
    if (size === null) throw toError(toKindOfObject(value), path)
    countBytes(size)
    return structuredClone(value)
  }

  function copyMember([key, item]: readonly [string, unknown]): readonly [string, unknown] {
    countBytes(2 * key.length)
    return [key, enter(item, key)]
  }

  return copy
}

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

function toPathText(path: readonly PathStep[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
  return excerpt(steps.join('').replace(/^\./, ''))
}
