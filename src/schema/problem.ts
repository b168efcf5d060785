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

/** A value that fits no option of a union, with the problems that each option reported. */
export interface NoOptionFits {
  readonly kind: 'union'
  readonly path: Path
  readonly options: readonly (readonly Problem[])[]
}

/** The steps from a value to one of its members: names of fields and indexes of items. */
export type Path = readonly (string | number)[]

const simpleName = /^[\p{L}_$][\p{L}\p{N}_$-]{0,63}$/u

/** Converts a path to text: `items[2].price`, and `headers['x y']` where a name needs quotes. */
export function toPathText(path: Path): string {
  return path.map(toStepText).join('')
}

function toStepText(step: string | number, index: number): string {
  if (typeof step === 'number') return `[${step}]`
  if (simpleName.test(step)) return index === 0 ? step : `.${step}`
  // JSON escapes keep control characters and lone surrogates of a hostile name out of the text
  const quoted = JSON.stringify(step.slice(0, 64)).slice(1, -1).replaceAll("'", "\\'")
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
