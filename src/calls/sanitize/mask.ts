import type { Mask } from '../../kit/incident.ts'

const mask = '[secret]'

/** Makes what masks secrets: as they are, as JSON prints them, and as URLs write them. */
export function createMask(secrets: readonly string[]): Mask {
  const spellings = new Set(secrets.flatMap(toSpellings))
  // the longest first: a secret that is a part of another must not leave the rest of it
  const sorted = [...spellings].toSorted((a, b) => b.length - a.length)
  return (text) => {
    let masked = text
    for (const secret of sorted) {
      if (masked.includes(secret)) masked = masked.replaceAll(secret, mask)
    }
    return masked
  }
}

function toSpellings(secret: string): readonly string[] {
  // a lone surrogate has no place in a URL, and encodeURIComponent throws for it
  const inUrl = encodeURIComponent(secret.toWellFormed())
  return [secret, JSON.stringify(secret).slice(1, -1), inUrl]
}
