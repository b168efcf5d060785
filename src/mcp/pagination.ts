import { readBase64Url, toBase64Url } from '../util/bytes.ts'
import { toChecksum } from '../util/digest.ts'

/** What a list is made of: a key that sorts it, and the JSON text that a client sees. */
export interface ListItem {
  readonly key: string
  readonly listed: string
}

/** One page of a list. No `next` means that it is the last one. */
interface Page {
  readonly items: readonly ListItem[]
  readonly next?: string
}

/**
 * The page of `list` that a cursor asks for, or `null` where the cursor is not one of ours.
 * `entries` are sorted by key. Without a `size` everything is one page, and no cursor is good.
 */
export function toPage(
  list: string,
  entries: readonly ListItem[],
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

function startAfter(entries: readonly ListItem[], last: string | null): number | null {
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

/** Some entries of a list, as JSON text. No `next` means that they are the last. */
export interface RowPage {
  readonly listed: readonly string[]
  readonly next?: string
}

/** One of the places that a list's entries come from. */
export interface RowSource {
  /** Names the source in cursors, so it outlives a deploy; has no line break. */
  readonly key: string
  /** The page after a cursor of its own, or `null` where that is none of its cursors. */
  readonly list: (cursor: string | undefined) => RowPage | null | Promise<RowPage | null>
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
): Promise<RowPage | null> {
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
