import { styleText } from 'node:util'
import type { FileChange } from './plan.ts'

interface Line {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
}

const context = 2

/** Prints what changes in a file, with two lines around each change; in colors if the terminal shows them. */
export function toDiff({ file, before, after }: FileChange): string {
  const lines = compare(before === null ? [] : toLines(before), toLines(after))
  const shows = (index: number): boolean =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' ')
  const shown = lines.flatMap((line, index) => {
    if (!shows(index)) return []
    const isGap = index > 0 && !shows(index - 1)
    return [...(isGap ? ['  ...'] : []), `${line.sign} ${line.text}`.trimEnd()]
  })
  const title = before === null ? `${file} (new)` : file
  return [paint('bold', title), ...shown.map(paintLine)].join('\n')
}

function toLines(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n')
}

function paintLine(line: string): string {
  if (line.startsWith('+')) return paint('green', line)
  return line.startsWith('-') ? paint('red', line) : line
}

function paint(style: 'bold' | 'green' | 'red', text: string): string {
  // only on a terminal, and not with NO_COLOR
  return styleText(style, text, { stream: process.stdout, validateStream: true })
}

/** Compares two texts by their longest common subsequence of lines. */
function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  // lengths[i][j] is the length for what follows line i of one and line j of the other
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  const lengthAt = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const row = lengths[i] ?? new Uint32Array()
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const isEqual = before[i] === after[j]
      row[j] = isEqual
        ? lengthAt(i + 1, j + 1) + 1
        : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const [removed, added] = [before[i], after[j]]
    if (removed !== undefined && removed === added) {
      lines.push({ sign: ' ', text: removed })
      i += 1
      j += 1
    } else if (
      added !== undefined &&
      (removed === undefined || lengthAt(i, j + 1) > lengthAt(i + 1, j))
    ) {
      lines.push({ sign: '+', text: added })
      j += 1
    } else {
      lines.push({ sign: '-', text: removed ?? '' })
      i += 1
    }
  }
  return lines
}
