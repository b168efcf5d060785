import type { Registry } from '../../registry/registry.ts'
import type { JsonObject } from '../../wire/json.ts'

/** The lists of the registry. */
export type Section = Exclude<keyof Registry, 'digest' | 'code' | 'bindings'>

/** Something that no two entries of a section may share, such as a name. */
export interface Claim {
  readonly key: string
  /** What to say where several entries claim it. */
  readonly why: string
}

/** What the registry will hold of one module, but for the `load` that the build adds. */
export interface Entry {
  readonly section: Section
  /** What the section is sorted by. */
  readonly key: string
  readonly claims: readonly Claim[]
  /** The module's path from the project's root. */
  readonly file: string
  readonly members: JsonObject
}

/** What became of one module in workerd: lines of JSON from the evaluation to the build. */
export type Evaluated =
  /** Its turn has come: to be loaded, or later to be described. */
  | { readonly kind: 'begun'; readonly file: string }
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'helper'; readonly file: string }
  | { readonly kind: 'refused'; readonly file: string; readonly problems: readonly string[] }
  | {
      readonly kind: 'threw'
      readonly file: string
      readonly message: string
      readonly stack: string
    }
