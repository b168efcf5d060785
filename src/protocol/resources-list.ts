import { attempt } from '../calls/attempt.ts'
import { filterVisible, isOpen } from '../calls/visibility.ts'
import { checkSize } from '../calls/size-limit.ts'
import type { ResourceEntry } from '../registry/entries.ts'
import { toMergedPage, type Rows } from '../registry/merged-page.ts'
import { toPage, type Listed } from '../registry/page.ts'
import type { ResourceLookup } from '../registry/resource-lookup.ts'
import { isTemplate } from '../registry/uri-template-parts.ts'
import { toCacheable } from './cacheable.ts'
import { badCursor, createListMethod, isCursor } from './lists.ts'
import type { MethodSettings } from './method-settings.ts'
import type { Method } from './protocol.ts'
import { createRowSource } from './row-source.ts'

/**
 * Makes `resources/list`: the fixed resources by URI, then what each template lists, in the order of
 * the templates. Without such templates the list is printed once (server/resources, "Listing
 * Resources").
 */
export function createResourcesList(
  entries: readonly ResourceEntry[],
  lookup: ResourceLookup,
  settings: MethodSettings,
): Method {
  const { page, lists, maxResultBytes } = settings
  const sorted = entries.toSorted((a, b) => (a.uri < b.uri ? -1 : 1))
  const fixed = sorted
    .filter(({ uri }) => !isTemplate(uri))
    .map((entry) => ({ ...entry, key: entry.uri }))
  const dynamic = sorted.filter((entry) => entry.dynamic)
  if (dynamic.length === 0) return createListMethod('resources', fixed, settings)

  // a list that was told who asks may have answered accordingly
  const isShared = dynamic.every(({ shared }) => shared) && sorted.every(isOpen)
  const cache = isShared ? lists : { ...lists, cacheScope: 'private' as const }
  return async ({ params }, exchange) => {
    const { cursor } = params
    if (!isCursor(cursor)) return badCursor
    const outcome = await attempt('resources/list', exchange, async (signal) => {
      const visible = await filterVisible(fixed, exchange)
      const fixedSource = {
        key: '',
        list: (cursor: string | undefined) => toRows(visible, page, cursor),
      }
      const templates = await filterVisible(dynamic, exchange)
      const rows = templates.map((entry) => createRowSource(entry, lookup, exchange, signal))
      const sources = [fixedSource, ...rows]
      const merged = await toMergedPage('resources', sources, page ?? Infinity, cursor)
      if (merged === null) return badCursor
      const members = checkSize('The list of resources', print(merged), maxResultBytes)
      return { kind: 'result', members }
    })
    return toCacheable(outcome, cache)
  }
}

function toRows(
  fixed: readonly Listed[],
  size: number | undefined,
  cursor: string | undefined,
): Rows | null {
  const page = toPage('fixed resources', fixed, size, cursor)
  if (page === null) return null
  const { items, next } = page
  return { listed: items.map(({ listed }) => listed), ...(next !== undefined && { next }) }
}

function print({ listed, next }: Rows): string {
  const cursor = next === undefined ? '' : `,"nextCursor":${JSON.stringify(next)}`
  return `"resources":[${listed.join(',')}]${cursor}`
}
