/**
 * A 32-bit FNV-1a hash. It tells an accidental change, such as a cut or mistyped cursor, and nothing
 * more: it is no protection against anyone who means it.
 */
export function toChecksum(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
