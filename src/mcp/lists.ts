import type { JsonObject } from '../protocol/json.ts'
import { type CacheHints, type Outcome, fail } from '../protocol/outcome.ts'
import { BoundedMap } from '../util/bounded-map.ts'
import { readBase64Url, toBase64Url } from '../util/bytes.ts'
import { toChecksum } from '../util/digest.ts'
import { type Method, type MethodSettings, toCacheable } from './methods.ts'
import { type Guarded, filterVisible, isOpen } from './visibility.ts'

/** An entry as a list method wants it. */
type ListEntry = Listed & Guarded

/** How many different views of a list are kept printed. */
const maxViews = 64

/**
 * Makes a list method, such as `tools/list`, with its cursor and its caching hints. A list that may
 * differ from viewer to viewer is printed once for each set of entries that somebody saw, and is
 * `private` to each caller (server/utilities/caching, "Choosing a Cache Scope").
 */
export function createListMethod(
  name: string,
  entries: readonly ListEntry[],
  { page, lists }: Pick<MethodSettings, 'page' | 'lists'>,
): Method {
  if (entries.every(isOpen)) {
    const list = createList(name, entries, page)
    return ({ params }) => toPageOutcome(list, params, lists)
  }
  const views = new BoundedMap<string, List>(maxViews)
  const cache = { ...lists, cacheScope: 'private' } as const
  return async ({ params }, exchange) => {
    const visible = await filterVisible(entries, exchange)
    const view = visible.map(({ key }) => key).join('\n')
    const list = views.getOrMake(view, () => createList(name, visible, page))
    return toPageOutcome(list, params, cache)
  }
}

function toPageOutcome(list: List, { cursor }: JsonObject, cache: CacheHints): Outcome {
  const members = isCursor(cursor) ? list.print(cursor) : null
  if (members === null) return badCursor
  return toCacheable({ kind: 'result', members }, cache)
}

/** Tells what may be a cursor from what no page ever gave. */
export function isCursor(cursor: unknown): cursor is string | undefined {
  return cursor === undefined || typeof cursor === 'string'
}

/** The answer to a cursor that is none of a list's (server/utilities/pagination, "Error Handling"). */
export const badCursor: Outcome = fail({
  kind: 'invalid-params',
  why: 'The cursor is not one that this list gave. Start again without a cursor.',
})

/** One list of the protocol, such as the tools, ready to be printed page by page. */
interface List {
  /** The result's members for the page that `cursor` asks for; `null` for a cursor not of ours. */
  readonly print: (cursor: string | undefined) => string | null
}

/**
 * Makes a list that prints as `"{name}":[...]`, in the order of the keys and the same to the byte
 * each time, so that clients and their models' caches can rely on it (server/tools, "Capabilities").
 */
export function createList(name: string, entries: readonly Listed[], size?: number): List {
  const sorted = entries.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  // the page that everybody asks for is printed once in the life of the isolate
  let first: string | null = null
  return {
    print(cursor) {
      if (cursor === undefined && first !== null) return first
      const page = toPage(name, sorted, size, cursor)
      if (page === null) return null
      const items = page.items.map(({ listed }) => listed).join(',')
      const next = page.next === undefined ? '' : `,"nextCursor":${JSON.stringify(page.next)}`
      const members = `${JSON.stringify(name)}:[${items}]${next}`
      if (cursor === undefined) first = members
      return members
    },
  }
}

/** What a list is made of: a key that sorts it, and the JSON text that a client sees. */
export interface Listed {
  readonly key: string
  readonly listed: string
}

/** One page of a list. No `next` means that it is the last one. */
interface Page {
  readonly items: readonly Listed[]
  readonly next?: string
}

/**
 * The page of `list` that a cursor asks for, or `null` where the cursor is not one of ours.
 * `entries` are sorted by key. Without a `size` everything is one page, and no cursor is good.
 */
export function toPage(
  list: string,
  entries: readonly Listed[],
  size: number | undefined,
  cursor: string | undefined,
): Page | null {
  if (size === undefined) return cursor === undefined ? { items: entries } : null
  const start = cursor === undefined ? 0 : startAfter(entries, readCursor(list, cursor))
  if (start === null) return null
  const items = entries.slice(start, start + size)
  const last = items.at(-1)
  const more = last !== undefined && start + size < entries.length
  return more ? { items, next: toCursor(list, last.key) } : { items }
}

function startAfter(entries: readonly Listed[], last: string | null): number | null {
  if (last === null) return null
  const start = entries.findIndex(({ key }) => key > last)
  return start === -1 ? entries.length : start
}

/*
 * A cursor names the last entry of the page before, not a position: it stays good across a deploy
 * that adds or removes entries, and no entry is then skipped or sent twice.
 */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The opaque cursor that continues `list` after the entry `last` (server/utilities/pagination). */
export function toCursor(list: string, last: string): string {
  const text = `${list}\n${last}`
  return toBase64Url(new TextEncoder().encode(`${toChecksum(text)}\n${text}`))
}

/** The entry that a cursor of `list` continues after, or `null` where we never made that cursor. */
export function readCursor(list: string, cursor: string): string | null {
  const bytes = readBase64Url(cursor)
  if (bytes === null) return null
  const [checksum, name, ...last] = decode(bytes).split('\n')
  const text = `${name}\n${last.join('\n')}`
  return name === list && checksum === String(toChecksum(text)) ? last.join('\n') : null
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    return ''
  }
}
