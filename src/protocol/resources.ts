import { readResource, notFound } from '../calls/read-resource.ts'
import type { ResourceEntry } from '../registry/entries.ts'
import { createList } from '../registry/list.ts'
import { createResourceLookup, type ResourceLookup } from '../registry/resource-lookup.ts'
import { isTemplate } from '../registry/uri-template-parts.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import { toCacheable } from './cacheable.ts'
import { createListMethod } from './lists.ts'
import type { MethodSettings } from './method-settings.ts'
import type { Method, Methods } from './protocol.ts'
import { createResourcesList } from './resources-list.ts'

/** Makes the methods of the resources there are; none where there are none (server/resources). */
export function createResourceMethods(
  entries: readonly ResourceEntry[],
  settings: MethodSettings,
): Methods {
  if (entries.length === 0) return new Map()
  const lookup = createResourceLookup(entries)
  const templates = entries
    .filter(({ uri }) => isTemplate(uri))
    .map(({ uri, listed }) => ({ key: uri, listed }))
  const templateList = createList('resourceTemplates', templates, settings.page)
  return new Map([
    ['resources/list', createResourcesList(entries, lookup, settings)],
    ['resources/templates/list', createListMethod(templateList, settings.lists)],
    ['resources/read', createResourcesRead(lookup, settings.maxResultBytes)],
  ])
}

function createResourcesRead(lookup: ResourceLookup, maxBytes: number): Method {
  return async ({ params }, exchange): Promise<Outcome> => {
    const { uri } = params
    if (typeof uri !== 'string') {
      return fail({ kind: 'invalid-params', why: 'params.uri must be a string.' })
    }
    const found = lookup(uri)
    if (found === null) return notFound(uri)
    const { entry, values } = found
    const outcome = await readResource(entry.load, { uri, values }, exchange, maxBytes)
    const cacheScope = entry.shared ? 'public' : 'private'
    return toCacheable(outcome, { ttlMs: entry.ttlMs, cacheScope })
  }
}
