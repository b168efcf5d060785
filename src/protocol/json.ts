export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** A JSON object whose members are not checked yet. */
export type JsonObject = { readonly [key: string]: unknown }

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/**
 * Whether a value may be a request id or a progress token. A larger number would be changed when it
 * is sent back.
 */
export function isTextOrInteger(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

/*
 * JSON without loss. `JSON.stringify` silently changes some values: NaN becomes null, a Map becomes
 * {}, and a member that is a function disappears.
 */

/** How deep a value may be. Recursion ends here, so that a circular value cannot overflow the stack. */
const maxLevels = 500

/**
 * How many objects and arrays a value may have. JSON repeats one that stands in several places, so that thirty
 * objects that each have the next one twice would be a text of gigabytes.
 */
const maxObjects = 2_000_000
let objectsLeft = 0

/**
 * Prints a value as JSON.
 *
 * @param what the beginning of the sentence, as "search returned a value".
 * @throws {TypeError} that says where JSON would change or omit a part of the value.
 */
export function toExactJson(what: string, value: unknown): string {
  const loss = findJsonLoss(value)
  if (loss !== null) throw new TypeError(`${what} that JSON cannot represent: the value${loss}`)
  return JSON.stringify(value)
}

/**
 * Returns where and why JSON would change or omit a part of a value, as the end of a sentence about
 * the value; `null` if JSON represents it. A value with `toJSON`, such as a Date, is what `toJSON`
 * returns.
 */
export function findJsonLoss(value: unknown): string | null {
  objectsLeft = maxObjects
  const loss = find(value, 0)
  return loss === null ? null : `${toPathText(loss.steps)} ${loss.why}`
}

interface Loss {
  /** From the lost value outwards: only an error makes a path. */
  readonly steps: (string | number)[]
  why: string
  /** The value at which the search ended because it was too deep. */
  readonly deepest?: object
}

function find(value: unknown, level: number): Loss | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return null
    case 'number':
      return Number.isFinite(value) ? null : lose(`is ${value}. Use null or text in its place.`)
    case 'object':
      return value === null ? null : findInObject(value, level)
    case 'bigint':
      return lose('is a bigint. Use text.')
    case 'undefined':
      return lose('is undefined. Use null, or leave it out.')
    default:
      return lose(`is a ${typeof value}. Leave it out.`)
  }
}

function lose(why: string): Loss {
  return { steps: [], why }
}

function findInObject(value: object, level: number): Loss | null {
  if (level === maxLevels) {
    return { steps: [], why: `has more than ${maxLevels} levels.`, deepest: value }
  }
  if (--objectsLeft < 0) return lose(`is one of more than ${maxObjects} objects. Return fewer.`)
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return findInMembers(value, level)
  if (value instanceof Date && Number.isNaN(value.getTime())) return lose('is an invalid Date.')
  // JSON.stringify ignores the toJSON of what toJSON returned
  const json: unknown = value.toJSON('')
  return json !== null && typeof json === 'object' ? findInMembers(json, level) : find(json, level)
}

function findInMembers(value: object, level: number): Loss | null {
  if (Array.isArray(value)) {
    // by index: a hole is not among the keys, and JSON prints it as null
    for (let index = 0; index < value.length; index += 1) {
      const loss = find(value[index], level + 1)
      if (loss !== null) return addStep(loss, index, value)
    }
    return null
  }
  const why = isPlain(value) ? null : findClassLoss(value)
  if (why !== null) return lose(why)
  for (const [key, member] of Object.entries(value)) {
    // JSON omits members that are undefined, which is right for optional ones
    const loss = member === undefined ? null : find(member, level + 1)
    if (loss !== null) return addStep(loss, key, value)
  }
  return null
}

function addStep(loss: Loss, step: string | number, owner: object): Loss {
  loss.steps.push(step)
  if (loss.deepest === owner) {
    // the value is among those that contain it: only the path to it is of interest
    loss.why = 'contains itself. Use a copy without the circle.'
    loss.steps.length = 0
  }
  return loss
}

/** Whether an object is a literal, and not an instance of a class. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Objects that JSON prints like the values in them. */
const boxed: ReadonlySet<string> = new Set([
  '[object Number]',
  '[object String]',
  '[object Boolean]',
])

/** Returns why JSON does not represent an instance of a class; `null` if it does. */
function findClassLoss(value: object): string | null {
  if (boxed.has(Object.prototype.toString.call(value))) {
    return find(value.valueOf(), 0)?.why ?? null
  }
  if (value instanceof Map) return 'is a Map. Use Object.fromEntries(map) or [...map].'
  if (value instanceof Set) return 'is a Set. Use [...set].'
  if (value instanceof Promise) return 'is a promise. Await it first.'
  if (value instanceof Error) return 'is an Error. Use its message.'
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    return 'is binary data. Use an array of numbers, or Base64: bytes.toBase64().'
  }
  const isComplete = Object.keys(value).length > 0 && !hasAccessors(value)
  return isComplete ? null : `is ${toInstanceText(value)}. Use a plain object.`
}

/** Whether the class of a value has getters, which JSON omits: those of private members, as a rule. */
function hasAccessors(value: object): boolean {
  for (
    let prototype: object | null = Object.getPrototypeOf(value);
    prototype !== null && prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    const descriptors = Object.values(Object.getOwnPropertyDescriptors(prototype))
    if (descriptors.some((each) => each.get !== undefined)) return true
  }
  return false
}

function toInstanceText(value: object): string {
  const made: unknown = Reflect.get(value, 'constructor')
  const isNamed = typeof made === 'function' && made.name !== ''
  return isNamed ? `an instance of the class ${made.name}` : 'an instance of a class'
}

/** The longest path that a sentence shows. */
const maxSteps = 20

function toPathText(steps: readonly (string | number)[]): string {
  if (steps.length > maxSteps) return ''
  return steps
    .toReversed()
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
}
