import { type Node, findNodeAtLocation, parseTree } from 'jsonc-parser'
import { toLineEnd } from './toml-edit.ts'

/*
 * The package's own `modify` formats what stands around an edit. These insert text alone.
 */

/** Sets the value at a path of a JSON text with comments; `null` if a value on the way is not an object. */
export function setInJsonc(text: string, path: readonly string[], value: unknown): string | null {
  const root = parseTree(text)
  if (root === undefined) return null
  const known = findNodeAtLocation(root, [...path])
  if (known !== undefined) {
    return splice(text, known.offset, known.offset + known.length, toJsonText(text, known, value))
  }
  // the innermost object that exists gets a member, with the missing objects inside
  const depth = path.findLastIndex((_, index) => findNodeAtLocation(root, path.slice(0, index)))
  const parent = findNodeAtLocation(root, path.slice(0, depth))
  const [key = '', ...missing] = path.slice(depth)
  if (parent?.type !== 'object') return null
  const member = missing.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  return addChild(text, parent, member, `${JSON.stringify(key)}: `)
}

/** Adds an element to the list at a path, which it creates if it is missing. */
export function appendToJsonc(
  text: string,
  path: readonly string[],
  value: unknown,
): string | null {
  const root = parseTree(text)
  const list = root === undefined ? undefined : findNodeAtLocation(root, [...path])
  if (list === undefined) return setInJsonc(text, path, [value])
  return list.type === 'array' ? addChild(text, list, value, '') : null
}

/** Adds the last element of a list, or the last member of an object. */
function addChild(text: string, parent: Node, value: unknown, key: string): string {
  const last = parent.children?.at(-1)
  const newline = toLineEnd(text)
  if (last === undefined) {
    const outer = toIndent(text, parent.offset)
    const inner = outer + toUnit(text)
    const added = key + printJson(value, inner, toUnit(text), newline)
    const end = parent.offset + parent.length - 1
    // comments of an empty list stay above
    const start = parent.offset + text.slice(parent.offset, end).trimEnd().length
    return splice(text, start, end, `${newline}${inner}${added}${newline}${outer}`)
  }
  const end = last.offset + last.length
  const isAlone = /^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', last.offset) + 1, last.offset))
  const added =
    key +
    toJsonText(text, (last.type === 'property' ? last.children?.[1] : undefined) ?? last, value)
  if (!isAlone) return splice(text, end, end, `, ${added}`)
  // after the comment that belongs to the element before
  const rest = /^([ \t]*,)?([ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\n])*\*\/))?/.exec(
    text.slice(end),
  )
  const [all = '', comma = '', comment = ''] = rest ?? []
  const line = `${newline}${toIndent(text, last.offset)}${added}${comma.trim()}`
  return splice(text, end, end + all.length, `,${comment}${line}`)
}

/** Writes a value in place of another one or after it, in its style: on one line or on several. */
function toJsonText(text: string, like: Node, value: unknown): string {
  const isLong = text.slice(like.offset, like.offset + like.length).includes('\n')
  const isObject = like.type === 'object' || like.type === 'array'
  if (isObject && !isLong && like.length > 2) return printOnOneLine(value)
  return printJson(value, toIndent(text, like.offset), toUnit(text), toLineEnd(text))
}

function printJson(value: unknown, indent: string, unit: string, newline: string): string {
  const isList = Array.isArray(value)
  if (typeof value !== 'object' || value === null || (isList && value.every(isScalar))) {
    return printOnOneLine(value)
  }
  const inner = indent + unit
  const lines = Object.entries(value).map(([key, member]) => {
    const name = isList ? '' : `${JSON.stringify(key)}: `
    return `${inner}${name}${printJson(member, inner, unit, newline)}`
  })
  const [open, close] = isList ? '[]' : '{}'
  return [open, lines.join(`,${newline}`), `${indent}${close}`].join(newline)
}

function printOnOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printOnOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${printOnOneLine(member)}`,
  )
  return `{ ${members.join(', ')} }`
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** The white space at the start of the line. */
function toIndent(text: string, place: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', place - 1) + 1))?.[0] ?? ''
}

/** How the text indents one level. */
function toUnit(text: string): string {
  return /\{[^\n]*\n(?:[ \t]*\r?\n)*([ \t]+)\S/.exec(text)?.[1] ?? '  '
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end)
}
