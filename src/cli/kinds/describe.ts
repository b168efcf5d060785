import type { JsonObject } from '../../wire/json.ts'
import type { Claim, Entry } from '../evaluation/evaluated.ts'
import type { Surroundings } from '../evaluation/surroundings.ts'

/** A default export to be described. */
export interface Subject {
  /** The name that the file's place gives, unless the definition says another. */
  readonly name: string
  readonly made: JsonObject
}

/** What a module is, or every reason why it is nothing. */
export type Description = Omit<Entry, 'file'> | { readonly problems: readonly string[] }

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
