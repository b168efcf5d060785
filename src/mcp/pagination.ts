import { readBase64Url, toBase64Url } from '../util/bytes.ts'
import { toChecksum } from '../util/digest.ts'

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
