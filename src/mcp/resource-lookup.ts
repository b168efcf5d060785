import type { Purged } from '../define/contexts.ts'
import type { Registry, ResourceEntry } from '../define/registry.ts'
import {
  type UriTemplate,
  type UriValues,
  isTemplate,
  matchTemplate,
  readTemplate,
} from '../protocol/uri-template.ts'

/** The entry that serves a URI, with the values of its template's variables. */
export interface FoundResource {
  readonly entry: ResourceEntry
  readonly values: UriValues
}

export type ResourceLookup = (uri: string) => FoundResource | null

interface Candidate {
  readonly entry: ResourceEntry
  readonly template: UriTemplate
}

const none: UriValues = Object.freeze(Object.create(null))

/**
 * Creates the lookup of all resources. A fixed URI comes before every template. Of several
 * templates that match, the one with more literal text comes first, then one without `{+var}`, then
 * the one with fewer variables, then the one that sorts first: the order of files does not matter.
 *
 * @throws {TypeError} for an invalid template; the build refuses it before a deploy.
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

/**
 * Whether reads of a resource are cached: for a second or more, and only without questions, whose
 * answers belong to one call.
 */
export function isCacheable({ ttlMs, asks }: ResourceEntry): boolean {
  return ttlMs >= 1000 && !asks
}

/** Creates the function that removes from a purge what is never cached. */
export function createPurgeFilter(
  registry: Pick<Registry, 'tools' | 'resources'>,
): (what: Purged) => Purged {
  const tools = registry.tools.filter(({ cache }) => cache !== null).map(({ name }) => name)
  const cacheable = registry.resources.filter(isCacheable)
  const uris = new Set(cacheable.map(({ uri }) => uri))
  // created at the first purge: it compiles every template, and most isolates never purge
  let find: ResourceLookup | null = null
  const isThere = (uri: string): boolean => {
    find ??= createResourceLookup(cacheable)
    return uris.has(uri) || find(uri) !== null
  }
  const hasLists = registry.resources.some(({ dynamic }) => dynamic)
  return ({ tools: purged = [], resources = [], lists = false }) => ({
    tools:
      purged === 'all' && tools.length > 0 ? purged : tools.filter((name) => purged.includes(name)),
    resources: resources.filter(isThere),
    lists: lists && hasLists,
  })
}

/**
 * Creates the function that finds a mistake in a purge, and returns a sentence about it. A misspelt
 * name would leave the old result in the cache without a sign.
 */
export function createPurgeCheck(
  registry: Pick<Registry, 'tools' | 'resources'>,
  find: ResourceLookup,
): (what: Purged | 'everything') => string | null {
  const names = new Set(registry.tools.map(({ name }) => name))
  const uris = new Set(registry.resources.map(({ uri }) => uri))
  return (what) => {
    if (what === 'everything') return null
    const { tools = [], resources = [], lists = false } = what
    if (tools.length === 0 && resources.length === 0 && !lists) return empty
    const tool = tools === 'all' ? undefined : tools.find((name) => !names.has(name))
    if (tool !== undefined) return `There is no tool ${tool}. There are: ${[...names].join(', ')}.`
    const uri = resources.find((uri) => !uris.has(uri) && find(uri) === null)
    if (uri === undefined) return null
    return `No resource serves ${uri}. There are: ${[...uris].join(', ')}.`
  }
}

const empty = "The purge names nothing. Name tools, resources or lists, or pass 'everything'."
