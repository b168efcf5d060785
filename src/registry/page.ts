import { readCursor, toCursor } from './cursor.ts'

/** What a list is made of: a key that sorts it, and the JSON text that a client sees. */
export interface Listed {
  readonly key: string
  readonly listed: string
}

/** One page of a list. No `next` means that it is the last one. */
export interface Page {
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
