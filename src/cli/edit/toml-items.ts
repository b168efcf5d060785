/** A header, or a key with its value, of a TOML text, with its place. */
export type TomlItem =
  | {
      readonly kind: 'header'
      readonly path: readonly string[]
      /** Whether it starts a table of an array: `[[migrations]]`. */
      readonly isElement: boolean
      readonly start: number
      readonly end: number
    }
  | {
      readonly kind: 'value'
      /** From the root of the document. */
      readonly path: readonly string[]
      readonly start: number
      readonly valueStart: number
      /** Where the value ends, before a comment. */
      readonly end: number
    }

/**
 * Lists the headers and keys of a TOML text in their order. It finds places to edit: whether the text is
 * valid is for wrangler's own reader to say, which reads it before and after an edit.
 */
export function readTomlItems(text: string): readonly TomlItem[] {
  const items: TomlItem[] = []
  let table: readonly string[] = []
  let place = 0
  while (place < text.length) {
    const [blank = ''] = /^(?:[ \t\r\n]|#[^\n]*)*/.exec(text.slice(place)) ?? []
    const start = place + blank.length
    if (start >= text.length) break
    const rest = text.slice(start)
    const header = /^\[(\[?)([^\]\n]*)\]\]?/.exec(rest)
    if (header === null) {
      const [key] = /^(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^=\n"'])*/.exec(rest) ?? ['']
      const sign = start + key.length
      const valueStart = sign + 1 + (/^[ \t]*/.exec(text.slice(sign + 1))?.[0].length ?? 0)
      const end = findValueEnd(text, valueStart)
      items.push({ kind: 'value', path: [...table, ...toTomlPath(key)], start, valueStart, end })
      // a character that begins nothing must not be read again and again
      place = Math.max(end, start + 1)
    } else {
      const [all, bracket, path = ''] = header
      table = toTomlPath(path)
      const isElement = bracket === '['
      place = start + all.length
      items.push({ kind: 'header', path: table, isElement, start, end: place })
    }
  }
  return items
}

const keyPattern = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+)/g

function toTomlPath(text: string): readonly string[] {
  return Array.from(
    text.matchAll(keyPattern),
    ([, basic, literal, bare]) => basic ?? literal ?? bare ?? '',
  )
}

// longest first: three quotation marks are not an empty string and one more
const valueTokens = /"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[^]/y

function findValueEnd(text: string, start: number): number {
  let depth = 0
  let end = start
  valueTokens.lastIndex = start
  for (let token = valueTokens.exec(text); token !== null; token = valueTokens.exec(text)) {
    const [part] = token
    if (depth === 0 && (part === '\n' || part.startsWith('#'))) break
    if (part === '[' || part === '{') depth += 1
    if (part === ']' || part === '}') depth -= 1
    if (!/^\s$/.test(part)) end = valueTokens.lastIndex
  }
  return end
}

/** Returns a value as TOML writes it on one line. */
export function toTomlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toTomlValue).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${toTomlKey([key])} = ${toTomlValue(member)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

export function toTomlKey(path: readonly string[]): string {
  return path.map((key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))).join('.')
}
