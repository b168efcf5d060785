import type { Path } from './path.ts'

/** A value that is of the wrong type, not one of the allowed values, or not in the right form. */
export interface Mismatch {
  readonly kind: 'mismatch'
  readonly path: Path
  /** What would do, as phrases: `a string`, `"red"`, `an email address`. */
  readonly expected: readonly string[]
  readonly by: 'type' | 'literal' | 'form'
}

/** A number out of its range, or a text, array or object of the wrong size. */
export interface WrongSize {
  readonly kind: 'size'
  readonly path: Path
  readonly bound: 'at least' | 'at most' | 'more than' | 'less than' | 'exactly'
  readonly limit: number | bigint
  /** What is counted; `null` where the value itself is compared. */
  readonly unit: 'character' | 'item' | 'field' | null
}

/** A value that fits none of several forms, with what each of them found. */
export interface NoneFits {
  readonly kind: 'union'
  readonly path: Path
  readonly options: readonly (readonly Problem[])[]
}

/**
 * One thing that is wrong with a value, in words that every validator's findings translate to. A
 * mismatch where no value is says that the value is missing.
 */
export type Problem =
  | Mismatch
  | WrongSize
  | NoneFits
  | { readonly kind: 'unexpected'; readonly path: Path }
  | { readonly kind: 'said'; readonly path: Path; readonly message: string }
