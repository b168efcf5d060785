import type { Registry } from '../../define/registry.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { PrintOther } from '../../schema/to-json-schema.ts'
import { isHandle } from './handle.ts'
import { isTool } from './tool.ts'

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
  /** Whether a plain JSON Schema is checked, so that the Worker needs `helve/json-schema`. */
  readonly usesJsonSchema: boolean
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

/** A module that has been loaded. */
export interface LoadedModule {
  readonly file: string
  /** The name that the file's place gives. */
  readonly name: string
  readonly exports: JsonObject
}

/** What a definition is held against: the other modules, and the Worker that they will run in. */
export interface Surroundings {
  /** The names of all tools. */
  readonly tools: readonly string[]
  /** Those that a sentence for anybody may name, as what creates a handle: none that is concealed. */
  readonly creators: readonly string[]
  /** The kinds of handles that the registry will have. */
  readonly handles: ReadonlySet<unknown>
  /** The names of the Worker's `[[ratelimits]]`. */
  readonly limits: readonly string[]
  /** Prints the schemas that cannot print themselves, where the project has what it takes. */
  readonly printOther: PrintOther
}

/** Finds out what the modules are to each other. */
export function toSurroundings(
  modules: readonly LoadedModule[],
  limits: readonly string[],
  printOther: PrintOther,
): Surroundings {
  const made = modules.map(({ name, exports }) => ({ name, made: exports['default'] }))
  const tools = made.flatMap(({ name, made }) =>
    isTool(made) ? [{ name: made.definition.name ?? name, conceal: made.definition.conceal }] : [],
  )
  return {
    tools: tools.map(({ name }) => name),
    creators: tools.filter(({ conceal }) => conceal !== true).map(({ name }) => name),
    handles: new Set(made.map(({ made }) => made).filter(isHandle)),
    limits,
    printOther,
  }
}

/** A default export to be described. */
export interface Subject {
  /** The name that the file's place gives, unless the definition says another. */
  readonly name: string
  readonly made: JsonObject
}

/** What a module is, or every reason why it is nothing. */
export type Description =
  | Omit<Entry, 'file' | 'usesJsonSchema'>
  | { readonly problems: readonly string[] }

/** How each kind of module says what it is. */
export type Describe = (subject: Subject, surroundings: Surroundings) => Description

/** The problem of a default export that bears a kind's mark and is not of its making. */
export function toForgery(what: string, maker: string): Description {
  return { problems: [`The default export is no ${what}. Make it with ${maker}({ ... }).`] }
}

/** Claims the name that clients call. */
export function toNameClaim(name: string): Claim {
  const why = `All of these are named "${name}". Keep one, or give the others a \`name\`.`
  return { key: name, why }
}

/** The message of whatever was thrown. */
export function toErrorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
