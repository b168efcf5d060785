import type { Registry } from '../../registry/registry.ts'
import type { JsonObject } from '../../wire/json.ts'

/** The lists of the registry. */
export type Section = Exclude<keyof Registry, 'digest'>

/** What the registry will hold of one module, but for the `load` that the build adds. */
export interface Entry {
  readonly section: Section
  /** What the section is sorted by, and what no two of its entries share. */
  readonly key: string
  /** The module's path from the project's root. */
  readonly file: string
  readonly members: JsonObject
}

/** What became of one module in workerd: one line of JSON from the evaluation to the build. */
export type Evaluated =
  | { readonly kind: 'loading'; readonly file: string }
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'helper'; readonly file: string }
  | { readonly kind: 'refused'; readonly file: string; readonly problems: readonly string[] }
  | {
      readonly kind: 'threw'
      readonly file: string
      readonly message: string
      readonly stack: string
    }
