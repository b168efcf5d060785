import { readCursor, toCursor } from './pagination.ts'

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
