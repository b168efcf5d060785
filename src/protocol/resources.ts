import type { CallSettings } from '../calls/call.ts'
import { readResource, notFound } from '../calls/read-resource.ts'
import type { ResourceEntry } from '../registry/entries.ts'
import { createResourceLookup, type ResourceLookup } from '../registry/resource-lookup.ts'
import { isTemplate } from '../registry/uri-template-parts.ts'
import type { JsonObject } from '../wire/json.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import { refuse } from './admit.ts'
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
    .map((entry) => ({ ...entry, key: entry.uri }))
  return new Map([
    ['resources/list', createResourcesList(entries, lookup, settings)],
    ['resources/templates/list', createListMethod('resourceTemplates', templates, settings)],
    ['resources/read', createResourcesRead(lookup, settings)],
  ])
}

function createResourcesRead(lookup: ResourceLookup, settings: CallSettings): Method {
  return async ({ params }, exchange, envelope): Promise<Outcome> => {
    const { uri } = params
    if (typeof uri !== 'string') {
      return fail({ kind: 'invalid-params', why: 'params.uri must be a string.' })
    }
    const found = lookup(uri)
    if (found === null) return notFound(uri)
    const refused = await refuse(found.entry, exchange, () => notFound(uri))
    if (refused !== null) return refused
    const { entry, values } = found
    const call = {
      method: 'resources/read',
      name: uri,
      input: {},
      params,
      exchange,
      envelope,
    } as const
    const outcome = await readResource(call, values, entry.load, settings)
    const cacheScope = entry.shared ? 'public' : 'private'
    return toCacheable(outcome, isRetry(params) ? never : { ttlMs: entry.ttlMs, cacheScope })
  }
}

/** What a retry gets depends on what no cache knows of (server/utilities/caching, "Cache Key"). */
const never = { ttlMs: 0, cacheScope: 'private' } as const

function isRetry({ inputResponses, requestState }: JsonObject): boolean {
  return inputResponses !== undefined || requestState !== undefined
}
