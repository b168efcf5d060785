import { readBase64Url, toBase64Url } from '../util/bytes.ts'
import { toChecksum } from '../util/digest.ts'

/** An entry of a list: its sort key and its JSON text. */
export interface ListItem {
  readonly key: string
  readonly listed: string
}

/** One page of a list. The last page has no `next`. */
interface Page {
  readonly items: readonly ListItem[]
  readonly next?: string
}

/**
 * Returns the page of a list at a cursor; `null` for an invalid cursor. `entries` are sorted by
 * key. Without a `size` there is one page, and every cursor is invalid.
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
 * A cursor contains the key of the last entry of the previous page, not a position: it stays valid
 * after a deploy that adds or removes entries, and no entry is skipped or sent twice.
 */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Returns the opaque cursor that continues `list` after the entry `last`
 * (server/utilities/pagination).
 */
export function toCursor(list: string, last: string): string {
  const text = `${list}\n${last}`
  return toBase64Url(new TextEncoder().encode(`${toChecksum(text)}\n${text}`))
}

/** Returns the key in a cursor of `list`; `null` if this server did not create the cursor. */
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

/** Entries of one source, as JSON text. The last page of a source has no `next`. */
export interface RowPage {
  readonly listed: readonly string[]
  readonly next?: string
}

export interface RowSource {
  /** Identifies the source in cursors, so it must not change with a deploy. It has no line break. */
  readonly key: string
  /** Returns the page at a cursor of this source; `null` for another cursor. */
  readonly list: (cursor: string | undefined) => RowPage | null | Promise<RowPage | null>
}

/**
 * Returns one page of a list with several sources, in their order. It ends where a page of a source
 * ends, or between two sources once it has `size` entries. A source's page is never cut, because
 * the source could not be asked for the rest. So each entry is on exactly one page.
 *
 * @returns `null` for a cursor of another list.
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
    // one after another: the number of entries decides whether the next source is needed
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

/** Returns the cursor for the start of a source, or for one of its own cursors. */
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
