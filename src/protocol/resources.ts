import { isAudienceOf, toAudience, type Addressed, type Audience } from '../cache/audience.ts'
import type { Filled, Keeping } from '../cache/fill.ts'
import { toReadTags } from '../cache/tags.ts'
import { attempt } from '../calls/attempt.ts'
import { readResource, notFound } from '../calls/read-resource.ts'
import { isOpen } from '../calls/visibility.ts'
import type { ResourceEntry } from '../registry/entries.ts'
import { isKept } from '../registry/kept.ts'
import { isTemplate } from '../registry/uri-template-parts.ts'
import type { Exchange } from '../wire/exchange.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import { refuse } from './admit.ts'
import { toCacheable } from './cacheable.ts'
import { toFillCall } from './fill-exchange.ts'
import { createListMethod } from './lists.ts'
import type { FillSettings, MethodSettings } from './method-settings.ts'
import type { Method, Methods } from './protocol.ts'
import { createResourcesList } from './resources-list.ts'
import { isRetry } from './retry.ts'

/** Makes the methods of the resources there are; none where there are none (server/resources). */
export function createResourceMethods(
  entries: readonly ResourceEntry[],
  settings: MethodSettings,
): Methods {
  if (entries.length === 0) return new Map()
  const templates = entries
    .filter(({ uri }) => isTemplate(uri))
    .map((entry) => ({ ...entry, key: entry.uri }))
  return new Map([
    ['resources/list', createResourcesList(entries, settings)],
    ['resources/templates/list', createListMethod('resourceTemplates', templates, settings)],
    ['resources/read', createResourcesRead(settings)],
  ])
}

function createResourcesRead(settings: MethodSettings): Method {
  const { lookup } = settings
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
    const { ttlMs, shared } = entry
    const cache = { ttlMs, cacheScope: shared ? 'public' : 'private' } as const
    if (isKept(entry) && !isRetry(params)) {
      const wanted = {
        lookup: { method: 'resources/read', uri } as const,
        audience: toAudience(toAddressed(entry), exchange.caller),
        keeping: toKeeping(entry, uri),
      }
      const keeping = attempt(`resources/read ${uri}`, exchange, () =>
        settings.keep(wanted, exchange),
      )
      return toCacheable(await keeping, cache)
    }
    const call = { ...toReadCall(uri), params, exchange, envelope }
    const outcome = await readResource(call, values, entry.load, settings)
    return toCacheable(outcome, cache)
  }
}

/** Makes what reads resources for the cache; `null` for a URI of which nothing is kept. */
export function createReadFill(
  settings: FillSettings,
): (uri: string, audience: Audience, exchange: Exchange) => Promise<Filled | null> {
  return async (uri, audience, exchange) => {
    const found = settings.lookup(uri)
    if (found === null || !isKept(found.entry)) return null
    if (!isAudienceOf(audience, toAddressed(found.entry))) return null
    const { entry, values } = found
    const call = toFillCall(toReadCall(uri), exchange)
    const outcome = await readResource(call, values, entry.load, settings)
    return { outcome, keeping: toKeeping(entry, uri) }
  }
}

function toAddressed(entry: ResourceEntry): Addressed {
  return { key: entry.uri, shared: entry.shared, isOpen: isOpen(entry) }
}

function toReadCall(uri: string) {
  return { method: 'resources/read', name: uri, input: {} } as const
}

function toKeeping({ uri: entryUri, ttlMs, staleMs }: ResourceEntry, uri: string): Keeping {
  return { ttlMs, staleMs, tags: toReadTags(uri, entryUri) }
}
