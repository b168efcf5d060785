/*
 * Writes src/out/unicode-tables.ts from the Unicode Character Database, of which regular expressions do
 * not know these properties. Run it with a folder of https://www.unicode.org/Public/<version>/ucd/:
 *
 *     node test/unicode/write-tables.ts <folder>
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Pass the folder of the Unicode Character Database.')

type Row = readonly string[]

function readRows(file: string): readonly Row[] {
  const lines = readFileSync(join(folder ?? '', file), 'utf8').split('\n')
  const rows = lines.map((line) => line.replace(/#.*/, '').split(';'))
  return rows.map((row) => row.map((cell) => cell.trim())).filter(([first]) => first !== '')
}

/** Reads the code points of the rows whose second cell is one of the values. */
function readPoints(file: string, values: readonly string[]): ReadonlySet<number> {
  const found = readRows(file).filter(([, value = '']) => values.includes(value))
  return new Set(found.flatMap(([range = '']) => toPoints(range)))
}

function toPoints(range: string): readonly number[] {
  const [first = '', last = first] = range.split('..')
  const start = Number.parseInt(first, 16)
  const length = Number.parseInt(last, 16) - start + 1
  return Array.from({ length }, (_, at) => start + at)
}

/**
 * Prints ranges as in `readRanges` of hidden-characters.ts: the gap before each range, and what comes after its
 * first character, in base 36. A range goes on over code points that are not assigned, and over marks, which
 * do not matter where it is used.
 */
function toRanges(points: ReadonlySet<number>, mayBridge: RegExp): string {
  const ranges: [number, number][] = []
  for (const point of [...points].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && isBridge(last[1] + 1, point, mayBridge)) last[1] = point
    else ranges.push([point, point])
  }
  const printed = ranges.map(([first, last], at) => {
    const gap = (first - (ranges[at - 1]?.[1] ?? 0)).toString(36)
    return first === last ? gap : `${gap}.${(last - first).toString(36)}`
  })
  return printed.join(' ')
}

function isBridge(from: number, to: number, mayBridge: RegExp): boolean {
  for (let point = from; point < to; point += 1) {
    if (!mayBridge.test(String.fromCodePoint(point))) return false
  }
  return true
}

/** The bases of each selector, without those that hidden-characters.ts finds without a table. */
function readVariants(): ReadonlyMap<number, ReadonlySet<number>> {
  const variants = new Map<number, Set<number>>()
  for (const [sequence = ''] of readRows('StandardizedVariants.txt')) {
    const [base = 0, selector = 0] = sequence.split(' ').map((hex) => Number.parseInt(hex, 16))
    const isComputed = /[\p{Script=Han}\p{Script=Mongolian}]/u.test(String.fromCodePoint(base))
    if (isComputed) continue
    const bases = variants.get(selector) ?? new Set()
    variants.set(selector, bases.add(base))
  }
  return variants
}

function readStyled(): ReadonlySet<number> {
  const rows = readRows('emoji/emoji-variation-sequences.txt')
  const bases = rows.map(([sequence = '']) => Number.parseInt(sequence, 16))
  // digits, which have a style only in a keycap
  return new Set(bases.filter((base) => base > 0x7f))
}

const nothing = /\p{Cn}/u
const nothingOrMark = /[\p{Cn}\p{Mn}\p{Me}]/u

function readJoining(...types: readonly string[]): string {
  const points = readPoints('extracted/DerivedJoiningType.txt', types)
  // the joiner itself joins, too
  return toRanges(new Set([...points].filter((point) => point !== 0x200d)), nothingOrMark)
}

const viramas = readPoints('IndicSyllabicCategory.txt', [
  'Virama',
  'Invisible_Stacker',
  'Pure_Killer',
  'Reordering_Killer',
])
const variants = [...readVariants()].toSorted(([a], [b]) => a - b)
const standard = readFileSync(join(folder, 'StandardizedVariants.txt'), 'utf8')
const [version = ''] = /\d+\.\d+\.\d+/.exec(standard) ?? []

const text = `// Written by test/unicode/write-tables.ts from Unicode ${version}, in the form that readRanges reads.

/** Letters that join to the next letter: Joining_Type is Dual_Joining, Left_Joining or Join_Causing. */
export const joinsNext =
  '${readJoining('D', 'L', 'C')}'

/** Letters that join to the previous letter: Dual_Joining, Right_Joining or Join_Causing. */
export const joinsPrevious =
  '${readJoining('D', 'R', 'C')}'

/** Signs that remove the vowel of a consonant (Indic_Syllabic_Category). */
export const viramas =
  '${toRanges(viramas, nothing)}'

/** Emoji with a text style and an emoji style (emoji-variation-sequences.txt). */
export const styledEmoji =
  '${toRanges(readStyled(), nothing)}'

/** What has a variant with each of U+FE00 to U+FE06 (StandardizedVariants.txt). */
export const variants: readonly string[] = [
${variants.map(([, bases]) => `  '${toRanges(bases, nothing)}',`).join('\n')}
]
`
writeFileSync(join(import.meta.dirname, '../../src/out/unicode-tables.ts'), text)
console.log(`variants of ${variants.map(([selector]) => selector.toString(16)).join(', ')}`)
