import type { Purged } from '../define/purge.ts'
import type { ResourceEntry } from './entries.ts'
import type { Registry } from './registry.ts'
import { createResourceLookup, type ResourceLookup } from './resource-lookup.ts'

/** Whether reads are kept: their time has to be long enough, and nothing may be asked first. */
export function isKept({ ttlMs, asks }: ResourceEntry): boolean {
  return ttlMs >= 1000 && !asks
}

/** Makes what leaves out of a purge what this server never keeps. */
export function createPurgeFilter(
  registry: Pick<Registry, 'tools' | 'resources'>,
): (what: Purged) => Purged {
  const tools = registry.tools.filter(({ cache }) => cache !== null).map(({ name }) => name)
  const kept = registry.resources.filter(isKept)
  const uris = new Set(kept.map(({ uri }) => uri))
  // at the first purge: it compiles every template, and most isolates never purge
  let find: ResourceLookup | null = null
  const isThere = (uri: string): boolean => {
    find ??= createResourceLookup(kept)
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
