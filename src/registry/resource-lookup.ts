import type { ResourceEntry } from './entries.ts'
import { isTemplate } from './uri-template-parts.ts'
import { matchTemplate, readTemplate, type UriTemplate, type UriValues } from './uri-template.ts'

/** What serves a URI, with the values of its template's variables; a fixed URI has none. */
export interface FoundResource {
  readonly entry: ResourceEntry
  readonly values: UriValues
}

/** Finds what serves a URI, or `null` where nothing does. */
export type ResourceLookup = (uri: string) => FoundResource | null

interface Candidate {
  readonly entry: ResourceEntry
  readonly template: UriTemplate
}

const none: UriValues = Object.freeze(Object.create(null))

/**
 * Makes the look-up of all resources. A fixed URI goes before every template. Of several templates
 * that match, the first is the one with more text of its own, then one without `{+var}`, then the one
 * with fewer variables, then what sorts first: it never depends on the order of the files.
 *
 * @throws {TypeError} for a template that cannot be matched; the build refuses it before a deploy.
 */
export function createResourceLookup(entries: readonly ResourceEntry[]): ResourceLookup {
  const fixed = new Map(
    entries.filter(({ uri }) => !isTemplate(uri)).map((entry) => [entry.uri, entry]),
  )
  const candidates = entries
    .filter(({ uri }) => isTemplate(uri))
    .map((entry): Candidate => ({ entry, template: readTemplate(entry.uri) }))
    .toSorted(compare)
  return (uri) => {
    const entry = fixed.get(uri)
    if (entry !== undefined) return { entry, values: none }
    for (const { entry, template } of candidates) {
      const values = matchTemplate(template, uri)
      if (values !== null) return { entry, values }
    }
    return null
  }
}

function compare(a: Candidate, b: Candidate): number {
  return (
    b.template.literals - a.template.literals ||
    Number(a.entry.uri.includes('{+')) - Number(b.entry.uri.includes('{+')) ||
    a.entry.arguments.length - b.entry.arguments.length ||
    (a.entry.uri < b.entry.uri ? -1 : 1)
  )
}
