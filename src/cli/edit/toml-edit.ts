import { type TomlItem, readTomlItems, toTomlKey, toTomlValue } from './toml-items.ts'

/**
 * Sets the value at a path, and keeps everything else as it is written; `null` where the table is written in
 * a way that has no place for it.
 */
export function setInToml(text: string, path: readonly string[], value: unknown): string | null {
  const items = readTomlItems(text)
  const known = items.find((item) => item.kind === 'value' && isSame(item.path, path))
  if (known?.kind === 'value') {
    return text.slice(0, known.valueStart) + toTomlValue(value) + text.slice(known.end)
  }
  // `build = { ... }` above `build.command`
  const isInline = items.some(
    (item) => item.kind === 'value' && item.path.length < path.length && isWithin(path, item.path),
  )
  // which of the tables of an array?
  const isElement = items.some(
    (item) => item.kind === 'header' && item.isElement && isWithin(path, item.path),
  )
  if (isInline || isElement) return null
  const table = path.slice(0, -1)
  const line = `${toTomlKey(path.slice(-1))} = ${toTomlValue(value)}`
  const header = items.findIndex((item) => item.kind === 'header' && isSame(item.path, table))
  if (header === -1 && table.length > 0)
    return addBlock(text, text.length, [`[${toTomlKey(table)}]`, line])
  const end = findSectionEnd(items, header)
  if (end === 0) return `${line}${toLineEnd(text)}${text}`
  return insertLine(text, end, line)
}

/** Adds a table to an array of tables; `null` if the array is written in one value. */
export function appendToToml(
  text: string,
  path: readonly string[],
  value: Readonly<Record<string, unknown>>,
): string | null {
  const items = readTomlItems(text)
  if (items.some((item) => item.kind === 'value' && isSame(item.path, path))) return null
  const block = [
    `[[${toTomlKey(path)}]]`,
    ...Object.entries(value).map(([key, member]) => `${toTomlKey([key])} = ${toTomlValue(member)}`),
  ]
  const last = items.findLastIndex((item) => isWithin(item.path, path))
  const end = last === -1 ? text.length : lineEndAfter(text, items[last]?.end ?? 0)
  return addBlock(text, end, block)
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && isWithin(a, b)
}

function isWithin(path: readonly string[], outer: readonly string[]): boolean {
  return outer.every((key, index) => path[index] === key)
}

/** Where the last key of a section ends, or else its header; the root has no header. */
function findSectionEnd(items: readonly TomlItem[], header: number): number {
  const next = items.findIndex((item, index) => index > header && item.kind === 'header')
  const last = items[(next === -1 ? items.length : next) - 1]
  return last?.end ?? 0
}

function insertLine(text: string, end: number, line: string): string {
  const at = lineEndAfter(text, end)
  const newline = toLineEnd(text)
  return `${text.slice(0, at)}${newline}${line}${text.slice(at)}`
}

/** Adds lines with a blank line around them. */
function addBlock(text: string, at: number, lines: readonly string[]): string {
  const newline = toLineEnd(text)
  const before = text.slice(0, at).trimEnd()
  const after = text.slice(at).replace(/^\s+/, '')
  const start = before === '' ? '' : `${before}${newline}${newline}`
  return `${start}${lines.join(newline)}${newline}${after === '' ? '' : `${newline}${after}`}`
}

function lineEndAfter(text: string, place: number): number {
  const end = text.indexOf('\n', place)
  if (end === -1) return text.length
  return text[end - 1] === '\r' ? end - 1 : end
}

/** Returns the line break that a text uses. */
export function toLineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}
