import type { Purged } from '../define/purge.ts'
import type { Registry } from './registry.ts'
import type { ResourceLookup } from './resource-lookup.ts'

/**
 * Makes what finds a slip in a purge, as a sentence, or else `null`: what is called otherwise would go
 * on being served, and nobody would hear of it.
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

const empty = "Nothing was named to be purged. Name tools, resources or lists, or say 'everything'."
