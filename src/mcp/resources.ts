import { type Addressed, type Audience, isAudienceOf, toAudience } from '../cache/cache-key.ts'
import { toReadTags } from '../cache/purge.ts'
import type { Filled, Keeping } from '../cache/read-through.ts'
import type { ResourceEntry } from '../define/registry.ts'
import type { Resource } from '../define/resource.ts'
import { sanitizeContents } from '../out/sanitizer.ts'
import type { Exchange } from '../protocol/exchange.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import { isTemplate } from '../protocol/uri-template.ts'
import { attempt } from './attempt.ts'
import type { Call, CallSettings } from './checked-call.ts'
import { absentWhereRead, toWorking, withAbsent } from './contexts.ts'
import { toFillCall } from './fills.ts'
import { createListMethod } from './lists.ts'
import {
  type FillSettings,
  type Method,
  type MethodSettings,
  type Methods,
  isRetry,
  toCacheable,
} from './methods.ts'
import { askFirst } from './questions/questions.ts'
import { toResourceContents } from './resource-contents.ts'
import { isKept } from './resource-lookup.ts'
import { createResourcesList } from './resources-list.ts'
import { checkSize } from './tool-result.ts'
import { isOpen, refuse } from './visibility.ts'

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

/**
 * Reads one resource and prints its contents, as the members of a result without its caching hints
 * (server/resources, "Reading Resources"). `values` are the variables of its template.
 */
function readResource(
  call: Call,
  values: Readonly<Record<string, string>>,
  load: () => Promise<{ readonly default: Resource }>,
  settings: CallSettings,
): Promise<Outcome> {
  const { name: uri, exchange } = call
  const { maxResultBytes: maxBytes, openSanitizer } = settings
  return attempt(`resources/read ${uri}`, exchange, async (signal) => {
    const { default: resource } = await load()
    const checked = await (resource.checkParams?.(values) ?? { ok: true, value: values })
    if (!checked.ok) return notFound(uri, checked.problems.join(' '))
    const { definition } = resource
    const sanitizer = openSanitizer(exchange.env)
    // what is the same for everybody must not be told who asks
    const { caller, ...working } = toWorking(call, sanitizer, signal)
    const reading = { ...working, uri, params: checked.value }
    const print = async (returned: unknown): Promise<Outcome> => {
      const settings = { uri, mime: definition.mime, maxBytes, signal }
      const contents = await toResourceContents(returned, settings)
      if (contents === null) return notFound(uri)
      const clean = contents.map((content) => sanitizeContents(content, sanitizer))
      const members = `"contents":${checkSize(uri, JSON.stringify(clean), maxBytes)}`
      return { kind: 'result', members }
    }
    if (definition.shared === true) {
      return askFirst(call, settings, undefined, async () =>
        print(await definition.read(withAbsent(absentWhereRead, reading))),
      )
    }
    const known = { ...reading, caller }
    return askFirst(
      call,
      settings,
      definition.ask && ((deciding) => definition.ask?.({ ...known, ...deciding })),
      async (answers) => print(await definition.read({ ...known, answers })),
    )
  })
}

/** Ends a read of what is not there (server/resources, "Error Handling"). */
function notFound(uri: string, why = 'List what there is, then try again.'): Outcome {
  return fail({ kind: 'invalid-params', why: `Resource not found: ${uri}. ${why}`, data: { uri } })
}
