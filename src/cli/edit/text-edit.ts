/** A change of a text at one place. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Applies changes, none of which overlap. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (current, edit) => current.slice(0, edit.start) + edit.text + current.slice(edit.end),
      text,
    )
}

/** Returns the number of the line at a place, from 1. */
export function toLine(text: string, place: number): number {
  return text.slice(0, place).split('\n').length
}

/** Shows what changes between two texts: removed lines with "-", added ones with "+". */
export function toLineDiff(before: string, after: string): string {
  const [old, now] = [toLines(before), toLines(after)]
  // the lengths of the longest common subsequences of the rests
  const lengths = Array.from(old, () => new Uint32Array(now.length + 1))
  lengths.push(new Uint32Array(now.length + 1))
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const same = old[i] === now[j]
      const row = lengths[i]
      if (row === undefined) continue
      const [down, right] = [lengths[i + 1]?.[j] ?? 0, row[j + 1] ?? 0]
      row[j] = same ? (lengths[i + 1]?.[j + 1] ?? 0) + 1 : Math.max(down, right)
    }
  }
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const isRemoved = (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)
    if (i < old.length && old[i] === now[j]) [i, j] = [i + 1, j + 1]
    else if (i < old.length && (j >= now.length || isRemoved)) lines.push(`- ${old[i++]}`)
    else lines.push(`+ ${now[j++]}`)
  }
  return lines.join('\n')
}

function toLines(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}
