import { excerpt } from '../util/excerpt.ts'

/**
 * One thing that is wrong with a value, in terms that the errors of every validator convert to. A
 * mismatch at a path without a value means that the value is missing.
 */
export type Problem =
  | Mismatch
  | WrongSize
  | NoOptionFits
  | { readonly kind: 'unexpected'; readonly path: Path }
  | { readonly kind: 'message'; readonly path: Path; readonly message: string }

/** A value of the wrong type, not among the allowed values, or not in the required format. */
export interface Mismatch {
  readonly kind: 'mismatch'
  readonly path: Path
  /** What is allowed, as phrases: `a string`, `"red"`, `an email address`. */
  readonly expected: readonly string[]
  /** The number of allowed values that `expected` does not list. */
  readonly others?: number
  readonly by: 'type' | 'literal' | 'format'
}

/** A number out of range, or a text, array or object of the wrong size. */
export interface WrongSize {
  readonly kind: 'size'
  readonly path: Path
  readonly bound: 'at least' | 'at most' | 'more than' | 'less than' | 'exactly'
  readonly limit: number | bigint
  /** What is counted; `null` where the value itself is compared. */
  readonly unit: 'character' | 'item' | 'field' | null
}

/**
 * A value that fits no option of a union, with the problems that each option reported. They are read
 * only as far as the text needs them: unions nest, and validators report every option of each.
 */
export interface NoOptionFits {
  readonly kind: 'union'
  readonly path: Path
  readonly options: Iterable<Iterable<Problem>>
}

/** The steps from a value to one of its members: names of fields and indexes of items. */
export type Path = readonly (string | number)[]

// with the value, which may have 60 characters, less than an error may repeat
const maxPath = 120

const simpleName = /^[\p{L}_$][\p{L}\p{N}_$-]{0,63}$/u

/** Converts a path to text: `items[2].price`, and `headers['x y']` where a name needs quotes. */
export function toPathText(path: Path): string {
  return excerpt(path.map(toStepText).join(''), maxPath)
}

function toStepText(step: string | number, index: number): string {
  if (typeof step === 'number') return `[${step}]`
  if (simpleName.test(step)) return index === 0 ? step : `.${step}`
  // JSON escapes keep control characters and lone surrogates of a hostile name out of the text
  const quoted = JSON.stringify(excerpt(step, 64)).slice(1, -1).replaceAll("'", "\\'")
  return index === 0 ? quoted : `['${quoted}']`
}

/** Returns the value at a path, or `undefined` if there is none. Inherited members do not count. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}

/** Returns a type with its article: `a string`, `an integer`. */
export function typePhrase(type: string): string {
  return types.get(type) ?? `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
}

/** Describes a text format, such as JSON Schema's `date-time` or zod's `datetime`. */
export function formatPhrase(format: string): string {
  return formats.get(format) ?? `text in the format "${format}"`
}

/** Returns the type of a value in JSON, with its article. */
export function typeOfPhrase(value: unknown): string {
  if (value === null) return 'null'
  return typePhrase(Array.isArray(value) ? 'array' : typeof value)
}

/** Returns a short value itself, and only the type of a long or nested one. */
export function valuePhrase(value: unknown): string {
  if (typeof value === 'string') {
    return value.length > 60 ? `a text of ${value.length} characters` : JSON.stringify(value)
  }
  const isShown =
    typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
  return isShown ? String(value) : typeOfPhrase(value)
}

const maxShown = 10

/** Describes the allowed values of an enum; of a long one only as many as a sentence shows. */
export function toAllowedValues(
  values: readonly unknown[],
  toPhrase: (value: unknown) => string,
): Pick<Mismatch, 'expected' | 'others'> {
  const expected = values.slice(0, maxShown).map(toPhrase)
  return { expected, others: values.length - expected.length }
}

/** Joins alternatives: `a`, `a or b`, `a, b or c`. After ten, only the number of the rest follows. */
export function eitherPhrase(phrases: readonly string[], others = 0): string {
  const shown = phrases.slice(0, maxShown)
  const rest = others + phrases.length - shown.length
  const last = rest === 0 ? shown.at(-1) : `${rest} other${rest === 1 ? '' : 's'}`
  const before = rest === 0 ? shown.slice(0, -1) : shown
  return before.length === 0 ? `${last}` : `${before.join(', ')} or ${last}`
}

const types: ReadonlyMap<string, string> = new Map([
  ['int', 'an integer'],
  ['null', 'null'],
  ['undefined', 'left out'],
  ['record', 'an object'],
  ['tuple', 'an array'],
  ['nan', 'NaN'],
])

const formats: ReadonlyMap<string, string> = new Map([
  ['email', 'an email address'],
  ['uri', 'a URL such as "https://example.com/"'],
  ['url', 'a URL such as "https://example.com/"'],
  ['date', 'a date such as "2026-11-30"'],
  ['time', 'a time such as "14:30:00"'],
  ['datetime', 'a date and time such as "2026-11-30T14:30:00Z"'],
  ['date-time', 'a date and time such as "2026-11-30T14:30:00Z"'],
  ['duration', 'a duration such as "P3DT4H"'],
  ['uuid', 'a UUID'],
  ['guid', 'a UUID'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['hostname', 'a host name'],
  ['base64', 'Base64 text'],
  ['base64url', 'Base64url text'],
  ['e164', 'a phone number such as "+14155550123"'],
])
