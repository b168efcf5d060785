import { isJsonObject } from '../../protocol/json.ts'
import { indent, toSafeLine, toSafeText } from './printable.ts'

/**
 * Prints a JSON value for people: objects as aligned rows, lists of flat objects as tables. Deep values are
 * JSON, since nobody reads many levels of indents.
 */
export function toAlignedText(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return toListText(value, depth)
  if (!isJsonObject(value)) return typeof value === 'string' ? toSafeText(value) : toCell(value)
  const rows = Object.entries(value)
  if (rows.length === 0) return '(empty)'
  const width = Math.max(...rows.map(([key]) => toSafeLine(key).length))
  return rows.map(([key, member]) => toRow(toSafeLine(key), member, width, depth)).join('\n')
}

const deepest = 4

function toRow(key: string, member: unknown, width: number, depth: number): string {
  const isNested = typeof member === 'object' && member !== null && Object.keys(member).length > 0
  const isLong = typeof member === 'string' && member.includes('\n')
  if ((!isNested && !isLong) || depth >= deepest || isTextRow(member)) {
    return `${key.padEnd(width)}  ${toCell(member)}`
  }
  return `${key}\n${indent(toAlignedText(member, depth + 1))}`
}

/** A short list of plain values stands in one line. */
function isTextRow(value: unknown): boolean {
  return Array.isArray(value) && value.length <= 8 && value.every(isPlainValue)
}

function isPlainValue(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function toListText(list: readonly unknown[], depth: number): string {
  if (list.length === 0) return '(none)'
  const records = list.filter((item) => isJsonObject(item) && isFlat(item))
  const keys = [...new Set(records.flatMap((record) => Object.keys(Object(record))))]
  if (records.length === list.length && keys.length > 0 && keys.length <= 8) {
    return toTable(list, keys)
  }
  return list
    .map((item) =>
      isPlainValue(item) || depth >= deepest
        ? `- ${toCell(item)}`
        : indent(toAlignedText(item, depth + 1)).replace(/^ {2}/, '- '),
    )
    .join('\n')
}

function isFlat(record: object): boolean {
  return Object.values(record).every((value) => isPlainValue(value) || isTextRow(value))
}

const widest = 60

function toTable(list: readonly unknown[], keys: readonly string[]): string {
  const cells = list.map((item) =>
    keys.map((key) => (isJsonObject(item) && key in item ? toCell(item[key], widest) : '')),
  )
  const rows = [keys.map((key) => toSafeLine(key, widest)), ...cells]
  const widths = keys.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows
    .map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
    .map((row) => row.trimEnd())
    .join('\n')
}

function toCell(value: unknown, most = 10_000): string {
  if (typeof value === 'string') return toSafeLine(value, most)
  if (isTextRow(value) && Array.isArray(value)) {
    return value.length === 0 ? '(none)' : value.map((item) => toCell(item)).join(', ')
  }
  return toSafeLine(JSON.stringify(value) ?? '', most)
}
