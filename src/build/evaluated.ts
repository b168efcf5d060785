import type { Registry } from '../define/registry.ts'
import type { JsonObject } from '../protocol/json.ts'

/*
 * What the evaluation, which runs in workerd, reports to the part of the build that runs in Node.
 * Both parts import this file.
 */

/** What the evaluation must know besides the modules. */
export interface EvaluationSettings {
  /** The names of the Worker's `[[ratelimits]]` bindings. */
  readonly limits: readonly string[]
  readonly placeholders: Placeholders
  /** Starts each line that is for the build: modules may log lines of their own. */
  readonly marker: string
}

/** What `env` has in place of what the build does not have. */
export interface Placeholders {
  /** A text for each secret, by name. */
  readonly secrets: Readonly<Record<string, string>>
  /** The names of bindings that workerd alone cannot create. */
  readonly others: readonly string[]
}

export type Section = Exclude<keyof Registry, 'digest' | 'code' | 'bindings' | '~types'>

/** A key that only one entry of a section may have, such as a name. */
export interface UniqueKey {
  readonly key: string
  /** The sentence for the files that all have it. */
  readonly why: string
}

/** One module's entry in the registry, except for `load`, which the build adds. */
export interface Entry {
  readonly section: Section
  /** The section is sorted by this key. */
  readonly key: string
  readonly uniqueKeys: readonly UniqueKey[]
  readonly file: string
  /** Whether a plain JSON Schema is checked, so that the Worker needs `helve/json-schema`. */
  readonly usesJsonSchema: boolean
  /** The scopes that `visible` looks for, as far as its source shows them. */
  readonly visibleScopes?: readonly string[]
  /** Where text of more than 500 characters is refused, with the patterns. */
  readonly boundedPatterns?: readonly string[]
  readonly members: JsonObject
  readonly stored?: Stored
}

/** A Durable Object class of Helve. */
export type StoredClass = 'Handles' | 'Hub' | 'Bridge'

/** What of a module fails without the Durable Objects of a class, for sentences. */
export type Stored = Readonly<Partial<Record<StoredClass, readonly string[]>>>

export type Evaluated =
  /** The module is about to be loaded, or, later, to be described. */
  | { readonly kind: 'begun'; readonly file: string }
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'helper'; readonly file: string }
  | { readonly kind: 'refused'; readonly file: string; readonly problems: readonly string[] }
  | {
      readonly kind: 'threw'
      readonly file: string
      readonly message: string
      readonly stack: string
      readonly env: EnvReads
    }
  /** The module has changed what JavaScript defines, such as "JSON.stringify". */
  | { readonly kind: 'changed'; readonly file: string; readonly names: readonly string[] }
  /** Changes that the evaluation cannot undo, so that it describes nothing. */
  | { readonly kind: 'stuck'; readonly names: readonly string[] }
  /** Every module was loaded and described. */
  | { readonly kind: 'done' }

/** The members of `env` that a module has read while it was loaded, other than the `vars`. */
export interface EnvReads {
  /** Those of which the build knows only the names. */
  readonly placeholders: readonly string[]
  readonly missing: readonly string[]
}

/** Why the build refuses a module, or several modules together. */
export interface Refusal {
  /** Paths from the project's root. */
  readonly files: readonly string[]
  /** What is wrong, and what to do about it. */
  readonly why: string
}
