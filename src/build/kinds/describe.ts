import type { JsonObject } from '../../protocol/json.ts'
import type { PrintOther } from '../../schema/to-json-schema.ts'
import type { UniqueKey, Entry } from '../evaluated.ts'

export interface Subject {
  /** The name of the file, which a `name` in the definition overrides. */
  readonly name: string
  readonly exported: JsonObject
}

/** What a definition is checked against: the other modules, and the Worker's configuration. */
export interface BuildContext {
  readonly tools: readonly string[]
  /** The tools that sentences may name as the creator of a handle: all except concealed ones. */
  readonly creators: readonly string[]
  readonly handles: ReadonlySet<unknown>
  /** The names of the Worker's `[[ratelimits]]` bindings. */
  readonly limits: readonly string[]
  /** Prints schemas that cannot print themselves, if the project has the library for it. */
  readonly printOther: PrintOther
}

/** The entry of a module, or every reason why it cannot have one. */
export type Description =
  | Omit<Entry, 'file' | 'usesJsonSchema' | 'visibleScopes'>
  | { readonly problems: readonly string[] }

export type Describe = (subject: Subject, context: BuildContext) => Description

/** Refuses a default export that has the `kind` of a definition but did not come from `define`. */
export function notCreatedBy(define: string): Description {
  return {
    problems: [`The default export was not created by Helve. Create it with ${define}({ ... }).`],
  }
}

export function toUniqueName(name: string): UniqueKey {
  const why = `These all have the name "${name}". Keep one, or set \`name\` in the others.`
  return { key: name, why }
}
