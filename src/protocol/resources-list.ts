import type { Audience } from '../cache/audience.ts'
import type { Filled } from '../cache/fill.ts'
import { listTag } from '../cache/tags.ts'
import { attempt } from '../calls/attempt.ts'
import { checkSize } from '../calls/results/size-limit.ts'
import { filterVisible, isOpen } from '../calls/visibility.ts'
import type { ResourceEntry } from '../registry/entries.ts'
import { toMergedPage, type Rows } from '../registry/merged-page.ts'
import { toPage, type Listed } from '../registry/page.ts'
import { isTemplate } from '../registry/uri-template-parts.ts'
import type { Exchange } from '../wire/exchange.ts'
import { toCacheable } from './cacheable.ts'
import { badCursor, createListMethod, isCursor } from './lists.ts'
import type { FillSettings, MethodSettings } from './method-settings.ts'
import type { Method } from './protocol.ts'
import { isRetry } from './retry.ts'
import { createRowSource } from './row-source.ts'

type ListedEntry = ResourceEntry & Listed

/**
 * Makes `resources/list`. Without templates that list anything it is printed once; with them it may
 * cost something, and is kept (server/resources, "Listing Resources").
 */
export function createResourcesList(
  entries: readonly ResourceEntry[],
  settings: MethodSettings,
): Method {
  const listed = toListed(entries)
  if (!listed.some(({ dynamic }) => dynamic)) return createListMethod('resources', listed, settings)

  const { lists, keep } = settings
  const isSame = listed.every(isOpen)
  const isShared = isSame && !listed.some(isToldWhoAsks)
  const cache = isShared ? lists : { ...lists, cacheScope: 'private' as const }
  return async ({ params }, exchange) => {
    const { cursor } = params
    if (!isCursor(cursor)) return badCursor
    const seen = await filterVisible(listed, exchange)
    const audience: Audience = {
      ...(seen.some(isToldWhoAsks) && { caller: exchange.caller }),
      ...(!isSame && { visible: seen.filter((entry) => !isOpen(entry)).map(({ uri }) => uri) }),
    }
    const lookup = { method: 'resources/list', cursor } as const
    const keeping = isRetry(params) ? unkept : toKeeping(settings)
    const outcome = await attempt('resources/list', exchange, () =>
      keep({ lookup, audience, keeping }, exchange),
    )
    return toCacheable(outcome, cache)
  }
}

/** Makes a page: the fixed resources by URI, then what each template lists, in their order. */
export function createListFill(
  entries: readonly ResourceEntry[],
  settings: FillSettings,
): (cursor: string | undefined, audience: Audience, exchange: Exchange) => Promise<Filled | null> {
  const { lookup, page, maxResultBytes } = settings
  const listed = toListed(entries)
  return async (cursor, { caller, visible = [] }, exchange) => {
    const seen = listed.filter((entry) => isOpen(entry) || visible.includes(entry.uri))
    if ((caller === undefined) === seen.some(isToldWhoAsks)) return null
    const [dynamic, fixed] = [seen.filter(isDynamic), seen.filter((entry) => !isDynamic(entry))]
    const outcome = await attempt('resources/list', exchange, async (signal) => {
      const fixedSource = {
        key: '',
        list: (cursor: string | undefined) => toRows(fixed, page, cursor),
      }
      const rows = dynamic.map((entry) => createRowSource(entry, lookup, exchange, signal))
      const sources = [fixedSource, ...rows]
      const merged = await toMergedPage('resources', sources, page ?? Infinity, cursor)
      if (merged === null) return badCursor
      const members = checkSize('The list of resources', print(merged), maxResultBytes)
      return { kind: 'result', members }
    })
    return { outcome, keeping: toKeeping(settings) }
  }
}

const unkept = { ttlMs: 0, staleMs: 0, tags: [] }

/** What `resources/list` is made from, by URI. */
function toListed(entries: readonly ResourceEntry[]): readonly ListedEntry[] {
  return entries
    .filter(({ uri, dynamic }) => dynamic || !isTemplate(uri))
    .map((entry) => ({ ...entry, key: entry.uri }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

function isDynamic({ dynamic }: ResourceEntry): boolean {
  return dynamic
}

/** A list that was told who asks may have answered accordingly. */
function isToldWhoAsks({ dynamic, shared }: ResourceEntry): boolean {
  return dynamic && !shared
}

function toKeeping({ lists: { ttlMs }, staleListsMs }: FillSettings): Filled['keeping'] {
  return { ttlMs, staleMs: staleListsMs, tags: [listTag] }
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
