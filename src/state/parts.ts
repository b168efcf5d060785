/** A stored value may have 2 MB with its key; what is longer is kept in parts of this size. */
const partBytes = 1024 * 1024

/** Cuts text into parts that can be stored. Empty text has one empty part. */
export function toParts(text: string): readonly Uint8Array[] {
  const bytes = new TextEncoder().encode(text)
  const count = Math.max(1, Math.ceil(bytes.length / partBytes))
  // sliced, not viewed: storing a view stores the whole buffer under it
  return Array.from({ length: count }, (_, part) =>
    bytes.slice(part * partBytes, (part + 1) * partBytes),
  )
}

/** The text of the parts under a prefix, in the order of their keys; `null` where there are none. */
export function readParts(kv: SyncKvStorage, prefix: string): string | null {
  const parts = [...kv.list({ prefix })].map(([, part]) => part)
  if (parts.length === 0) return null
  const decoder = new TextDecoder()
  const texts = parts.map((part) =>
    part instanceof Uint8Array ? decoder.decode(part, { stream: true }) : '',
  )
  return texts.join('') + decoder.decode()
}
