import type { Json } from '../wire/json.ts'
import type { CarriedQuestion } from './question.ts'

/**
 * Keeps a value from the first round to the last, sealed in the state that the client brings back.
 * Its answer is the value as it was first carried, whatever a later round carries: a price that must
 * not move while the user decides, or the token in a {@link link}. Nobody is asked, but the client
 * comes again at least once. The value counts towards the 8 KiB of the state.
 *
 * The specification's page is basic/patterns/mrtr, "InputRequiredResult".
 *
 * @throws {TypeError} for a value that would not come back as it is, such as a Date.
 */
export function carry<Value extends Json>(value: Value): CarriedQuestion<Value> {
  if (!isCarriable(value)) {
    throw new TypeError(
      'carry() was given something that JSON cannot bring back as it is, such as a function or a ' +
        'Date. Carry text, finite numbers, true, false, null, or plain objects and arrays of them.',
    )
  }
  return {
    request: null,
    carried: value,
    read: (answer) => ({ kind: 'answered', answer }),
  }
}

function isCarriable(value: unknown): boolean {
  // throws for what holds itself, in which the look at each part would never end
  JSON.stringify(value)
  return isJson(value)
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (Array.isArray(value)) return value.every(isJson)
  // a member that is undefined is left out by JSON, which reads the same
  return isPlain(value) && Object.values(value).every((part) => part === undefined || isJson(part))
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
