import { type Node, findNodeAtLocation, parseTree } from 'jsonc-parser'
import { isJsonObject } from '../../protocol/json.ts'
import { editLines } from './plan.ts'

/** A member that is set, or an element that is added to a list, which is created if it is missing. */
export interface JsonEdit {
  readonly path: readonly string[]
  readonly value: unknown
  readonly isElement?: boolean
}

/**
 * Adds to JSON with comments, and leaves everything else as it is: the library would format the lines around a
 * change anew.
 */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  return editLines(text, (lines) => edits.reduce(apply, lines))
}

function apply(text: string, { path, value, isElement = false }: JsonEdit): string {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const list = root && isElement ? findNodeAtLocation(root, [...path]) : undefined
  const indent = toIndent(text)
  if (list?.type === 'array') return insert(text, list, indent, (own) => print(value, own, indent))
  const owner = path.slice(0, -1)
  const key = path.at(-1) ?? ''
  const object = root && findNodeAtLocation(root, owner)
  // a path that leads nowhere, which the caller notices
  if (object?.type !== 'object') return text
  return insert(text, object, indent, (own) => {
    return `${JSON.stringify(key)}: ${print(isElement ? [value] : value, own, indent)}`
  })
}

function toIndent(text: string): string {
  return text.match(/^([ \t]+)\S/m)?.[1] ?? '  '
}

/** Adds what `printMember` prints at the end of an object or a list. */
function insert(
  text: string,
  { offset, length, children = [] }: Node,
  indent: string,
  printMember: (own: string) => string,
): string {
  const end = offset + length - 1
  const [first, last] = [children[0], children.at(-1)]
  const outer = text.slice(text.lastIndexOf('\n', offset) + 1).match(/^[ \t]*/)?.[0] ?? ''
  if (first === undefined || last === undefined) {
    const own = `${outer}${indent}`
    return `${text.slice(0, end).trimEnd()}\n${own}${printMember(own)}\n${outer}${text.slice(end)}`
  }
  const at = last.offset + last.length
  if (!text.slice(offset, first.offset).includes('\n')) {
    return `${text.slice(0, at)}, ${printMember(outer)}${text.slice(at)}`
  }
  const own = text.slice(text.lastIndexOf('\n', first.offset) + 1, first.offset)
  const rest = text.slice(at, end)
  const comma = rest.match(/^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*?,/)?.[0].length ?? 0
  // behind a comment that belongs to the last member
  const tail =
    rest.slice(comma).match(/^[ \t]*(?:\/\/[^\n]*|\/\*[^\n]*?\*\/[ \t]*)?(?=\n)/)?.[0] ?? ''
  const place = at + comma + tail.length
  const before =
    comma === 0 ? `${text.slice(0, at)},${text.slice(at, place)}` : text.slice(0, place)
  return `${before}\n${own}${printMember(own)}${comma === 0 ? '' : ','}${text.slice(place)}`
}

/** Prints a value as people write it: lists of plain values in one line. */
function print(value: unknown, own: string, indent: string): string {
  const inner = `${own}${indent}`
  if (Array.isArray(value)) {
    const isPlain = value.every((each) => typeof each !== 'object')
    const printed = value.map((each) => print(each, isPlain ? own : inner, indent))
    if (isPlain) return `[${printed.join(', ')}]`
    return `[\n${printed.map((each) => `${inner}${each}`).join(',\n')}\n${own}]`
  }
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${inner}${JSON.stringify(key)}: ${print(member, inner, indent)}`,
  )
  return `{\n${members.join(',\n')}\n${own}}`
}
