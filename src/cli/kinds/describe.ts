import type { PrintOther } from '../../schema/print.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { Entry } from '../evaluation/evaluated.ts'

/** A default export to be described. */
export interface Subject {
  /** The name that the file's place gives, unless the definition says another. */
  readonly name: string
  readonly made: JsonObject
  /** The names of the Worker's `[[ratelimits]]`. */
  readonly limits: readonly string[]
  /** Prints the schemas that cannot print themselves, where the project has what it takes. */
  readonly printOther: PrintOther
}

/** Each kind of module answers with its entry, or with every reason why it has none. */
export type Describe = (
  subject: Subject,
) => Omit<Entry, 'file'> | { readonly problems: readonly string[] }
