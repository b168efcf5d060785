import type { Purged } from '../define/contexts.ts'
import type { Registry, ResourceEntry } from '../define/registry.ts'
import {
  type UriTemplate,
  type UriValues,
  expandTemplate,
  isTemplate,
  matchTemplate,
  readTemplate,
} from '../protocol/uri-template.ts'
import { toNormalUri, withLowerHost } from '../protocol/uri.ts'
import {
  type GuardedResource,
  isAsGuarded,
  isReadAs,
  overlaps,
  readLeniently,
  toGuardedResources,
} from './guarded-resources.ts'

/** The entry that serves a URI, with the values of its template's variables. */
export interface FoundResource {
  readonly entry: ResourceEntry
  readonly values: UriValues
  /** The URI in normal form. */
  readonly uri: string
  /** A URI that is the same for all spellings of this one: caches and subscriptions know it by this. */
  readonly key: string
}

export type ResourceLookup = (uri: string) => FoundResource | null

interface Candidate {
  readonly entry: ResourceEntry
  readonly template: UriTemplate
}

const none: UriValues = Object.freeze(Object.create(null))

/**
 * Creates the lookup of all resources. URIs are compared in normal form. A fixed URI comes before every
 * template. Of several templates that match, the one with more literal text comes first, then one
 * without `{+var}`, then the one with fewer variables, then the one that sorts first: the order of files
 * does not matter.
 *
 * A template does not serve what a resource with other `scopes` or `visible` protects, unless all of the
 * template lies within that resource.
 *
 * @throws {TypeError} for an invalid template; the build refuses it before a deploy.
 */
export function createResourceLookup(entries: readonly ResourceEntry[]): ResourceLookup {
  const fixed = new Map(
    entries.filter(({ uri }) => !isTemplate(uri)).map((entry) => [toFixedUri(entry.uri), entry]),
  )
  const candidates = entries
    .filter(({ uri }) => isTemplate(uri))
    .map((entry): Candidate => ({ entry, template: readTemplate(entry.uri) }))
    .toSorted(compare)
  const guarded = toGuardedResources(entries)
  return (text) => {
    const uri = toNormalUri(text)
    if (uri === null) return null
    const lower = withLowerHost(uri)
    const entry = fixed.get(lower)
    if (entry !== undefined) return { entry, values: none, uri: lower, key: entry.uri }
    for (const candidate of candidates) {
      const values = matchTemplate(candidate.template, uri)
      if (values !== null) return protect(toFound(candidate, values, uri), guarded, [])
    }
    return null
  }
}

function toFound({ entry, template }: Candidate, values: UriValues, uri: string): FoundResource {
  const normal = template.hasFixedHost ? withLowerHost(uri) : uri
  return { entry, values, uri: normal, key: expandTemplate(template, values) }
}

/** Returns the form of a fixed URI in which it is compared. */
export function toFixedUri(uri: string): string {
  return withLowerHost(toNormalUri(uri) ?? uri)
}

/**
 * Returns the guarded resource that a URI belongs to, if another one was found. `null` if the URI only
 * could be read as one of it, or if it belongs to two that guard it in different ways.
 */
function protect(
  found: FoundResource,
  guarded: readonly GuardedResource[],
  seen: readonly ResourceEntry[],
): FoundResource | null {
  const { entry, uri } = found
  if (seen.includes(entry)) return null
  if (guarded.length === 0) return found
  const reading = readLeniently(uri)
  for (const guard of guarded) {
    if (guard.entry === entry || isAsGuarded(entry, guard.entry)) continue
    const values = matchTemplate(guard.template, uri)
    if (values === null && !isReadAs(guard, reading)) continue
    if (overlaps(entry.uri, guard.template, 'all')) continue
    return values === null ? null : protect(toFound(guard, values, uri), guarded, [...seen, entry])
  }
  return found
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
  find: ResourceLookup,
): (what: Purged) => Purged {
  const tools = registry.tools.filter(({ cache }) => cache !== null).map(({ name }) => name)
  const uris = new Set(registry.resources.filter(isCacheable).map(({ uri }) => uri))
  const isThere = (uri: string): boolean => {
    const found = uris.has(uri) ? null : find(uri)
    return found === null ? uris.has(uri) : isCacheable(found.entry)
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
