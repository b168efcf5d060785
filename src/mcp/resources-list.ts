import type { Audience } from '../cache/cache-key.ts'
import { listTag } from '../cache/purge.ts'
import type { Filled } from '../cache/read-through.ts'
import type { ResourceEntry } from '../define/registry.ts'
import type { Resource, ResourcePage, ResourceRow } from '../define/resource.ts'
import type { Annotations, Icon } from '../protocol/content.ts'
import type { Exchange } from '../protocol/exchange.ts'
import { isJsonObject } from '../protocol/json.ts'
import { isTemplate } from '../protocol/uri-template.ts'
import { logNotice } from '../out/log.ts'
import { attempt } from './attempt.ts'
import {
  type Listed,
  badCursor,
  createListMethod,
  isCursor,
  readCursor,
  toCursor,
  toPage,
} from './lists.ts'
import {
  type FillSettings,
  type Method,
  type MethodSettings,
  isRetry,
  toCacheable,
} from './methods.ts'
import type { ResourceLookup } from './resource-lookup.ts'
import { checkSize } from './tool-result.ts'
import { filterVisible, isOpen } from './visibility.ts'

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

/**
 * Makes a source of the list from a template with a `list` of its own. A row whose URI this template
 * would not be asked for is left out: nobody could read it, or another resource stands there and is
 * listed already.
 */
function createRowSource(
  entry: ResourceEntry,
  lookup: ResourceLookup,
  exchange: Exchange,
  signal: AbortSignal,
): RowSource {
  return {
    key: entry.uri,
    async list(cursor) {
      const { default: resource } = await entry.load()
      const { resources, next } = await listRows(resource, cursor, exchange, signal)
      const served = resources.filter(({ uri }) => lookup(uri)?.entry.uri === entry.uri)
      if (served.length < resources.length)
        warnOfStrays(entry.uri, resources.length - served.length)
      const { mime } = resource.definition
      return {
        listed: served.map((row) => JSON.stringify(toResourceListing({ mime, ...row }))),
        ...(next !== undefined && { next }),
      }
    },
  }
}

function warnOfStrays(template: string, count: number): void {
  logNotice(
    `list of ${template}`,
    `${count} resources are left out, as this template does not match their URIs or another one ` +
      'takes them. Make URIs from the template, with encodeURIComponent around each value.',
  )
}

/**
 * Asks a template for a page of the resources there are.
 *
 * @throws {TypeError} for what only an untyped author would return, and for a `next` that would send
 * clients round in a circle.
 */
async function listRows(
  { definition }: Resource,
  cursor: string | undefined,
  { caller, env }: Exchange,
  signal: AbortSignal,
): Promise<ResourcePage> {
  const listing = { cursor, env, signal }
  const page: unknown = await (definition.shared === true
    ? definition.list?.(listing)
    : definition.list?.({ ...listing, caller }))
  if (!isPage(page)) {
    throw new TypeError(
      `The list of ${definition.uri} returned something else than { resources, next }, ` +
        'in which each resource has a `uri` and a `name`.',
    )
  }
  if (page.next !== undefined && page.next === cursor) {
    throw new TypeError(`The list of ${definition.uri} gave back the cursor that it was given.`)
  }
  return page
}

function isPage(value: unknown): value is ResourcePage {
  if (!isJsonObject(value)) return false
  const { resources, next } = value
  return (
    (next === undefined || typeof next === 'string') &&
    Array.isArray(resources) &&
    resources.every(isRow)
  )
}

function isRow(value: unknown): value is ResourceRow {
  return (
    isJsonObject(value) && typeof value['uri'] === 'string' && typeof value['name'] === 'string'
  )
}

/** Some entries of a list, as JSON text. No `next` means that they are the last. */
export interface Rows {
  readonly listed: readonly string[]
  readonly next?: string
}

/** One of the places that a list's entries come from. */
export interface RowSource {
  /** Names the source in cursors, so it outlives a deploy; has no line break. */
  readonly key: string
  /** The page after a cursor of its own, or `null` where that is none of its cursors. */
  readonly list: (cursor: string | undefined) => Rows | null | Promise<Rows | null>
}

/**
 * One page of a list that comes from several sources, in their order. It ends where a source ends its
 * own page, and otherwise between two sources once it has `size` entries: a page is never cut inside,
 * as its source could not be asked for the rest. So each entry comes exactly once over the pages.
 *
 * @returns `null` where the cursor is not one of this list's.
 */
export async function toMergedPage(
  list: string,
  sources: readonly RowSource[],
  size: number,
  cursor: string | undefined,
): Promise<Rows | null> {
  const from = cursor === undefined ? { sources } : readPlace(list, sources, cursor)
  if (from === null) return null
  const listed: string[] = []
  for (const [index, source] of from.sources.entries()) {
    // one at a time: whether the next source is asked depends on how much this one gave
    // oxlint-disable-next-line no-await-in-loop
    const rows = await source.list(index === 0 ? from.cursor : undefined)
    if (rows === null) return null
    listed.push(...rows.listed)
    if (rows.next !== undefined) return { listed, next: toPlace(list, source, rows.next) }
    const following = from.sources[index + 1]
    if (following !== undefined && listed.length >= size) {
      return { listed, next: toPlace(list, following) }
    }
  }
  return { listed }
}

/** Where to go on: at the start of a source, or after a cursor of its own. */
function toPlace(list: string, { key }: RowSource, cursor?: string): string {
  return toCursor(list, cursor === undefined ? key : `${key}\n${cursor}`)
}

function readPlace(
  list: string,
  sources: readonly RowSource[],
  cursor: string,
): { readonly sources: readonly RowSource[]; readonly cursor?: string } | null {
  const place = readCursor(list, cursor)
  if (place === null) return null
  const [key, ...inner] = place.split('\n')
  const index = sources.findIndex((source) => source.key === key)
  if (index === -1) return null
  const rest = sources.slice(index)
  return inner.length === 0 ? { sources: rest } : { sources: rest, cursor: inner.join('\n') }
}

/** An entry of `resources/list`, or of `resources/templates/list` (server/resources, "Resource"). */
type ResourceListing = ({ readonly uri: string } | { readonly uriTemplate: string }) & {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType: string
  readonly size?: number
  readonly icons?: readonly Icon[]
  readonly annotations?: Annotations
}

/** Says the list entry of a resource or template, its keys in one order whatever the author's was. */
export function toResourceListing(
  resource: ResourceRow & { readonly mime: string },
): ResourceListing {
  const { uri, name, title, description, mime, size, icons, annotations } = resource
  return {
    ...(isTemplate(uri) ? { uriTemplate: uri } : { uri }),
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    mimeType: mime,
    ...(size !== undefined && { size }),
    ...(icons !== undefined && { icons }),
    ...(annotations !== undefined && { annotations }),
  }
}
