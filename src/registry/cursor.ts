import { readBase64Url, toBase64Url } from '../kit/base64.ts'
import { toChecksum } from '../kit/checksum.ts'

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
