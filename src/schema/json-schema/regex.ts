/** One item of a regular expression: a set of characters or a group, with its quantifier. */
export interface RegexItem {
  /** The source of an atom for one character, such as `[a-z]`; `null` for a group. */
  readonly atom: string | null
  /** The alternatives of a group. */
  readonly group: RegexGroup
  readonly min: number
  readonly max: number
  /** A look-around: after its group, matching continues at the position before it. */
  readonly isLook: boolean
}

export type RegexSequence = readonly RegexItem[]
export type RegexGroup = readonly RegexSequence[]

const opening = /^\((?:\?(?:[a-z-]*:|<?[=!]|<[^>]*>))?/
const atom =
  /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\k<[^>]*>|\\[1-9]\d*|\\.|[^\\])/su
const quantifier = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/

// a back-reference may stand for any text: which one is known only during a match
const anyText: RegexGroup = [[{ atom: '[^]', group: [], min: 0, max: Infinity, isLook: false }]]

/**
 * Reads the structure of a regular expression that the engine has accepted with the flag `u`.
 * Assertions that read no characters, such as `^` and `\b`, are left out.
 */
export function readRegex(source: string): RegexGroup {
  return readGroup(source)[0]
}

/** Reads alternatives up to the closing parenthesis or the end, and returns that position. */
function readGroup(source: string, start = 0): readonly [RegexGroup, number] {
  const alternatives: RegexItem[][] = [[]]
  let at = start
  while (at < source.length && source[at] !== ')') {
    if (source[at] === '|') {
      alternatives.push([])
      at++
      continue
    }
    const [item, end] = readItem(source, at)
    if (item !== null) alternatives.at(-1)?.push(item)
    at = end
  }
  return [alternatives, at]
}

function readItem(source: string, start: number): readonly [RegexItem | null, number] {
  const open = opening.exec(source.slice(start))?.[0] ?? ''
  if (open !== '') {
    const [group, close] = readGroup(source, start + open.length)
    const [min, max, length] = readQuantifier(source.slice(close + 1))
    const isLook = /[=!]$/.test(open)
    return [{ atom: null, group, min, max, isLook }, close + 1 + length]
  }
  const text = atom.exec(source.slice(start))?.[0] ?? ''
  const end = start + Math.max(text.length, 1)
  const [min, max, length] = readQuantifier(source.slice(end))
  if (/^(?:[$^]|\\[bB])/.test(text)) return [null, end + length]
  const isReference = /^\\[1-9k]/.test(text)
  const [one, group] = isReference ? [null, anyText] : [text, []]
  return [{ atom: one, group, min, max, isLook: false }, end + length]
}

function readQuantifier(source: string): readonly [number, number, number] {
  const [text = '', sign, least, comma, most] = quantifier.exec(source) ?? []
  if (text === '') return [1, 1, 0]
  if (sign !== undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity, text.length]
  const open = comma === '' ? Number(least) : Infinity
  return [Number(least), most === '' || most === undefined ? open : Number(most), text.length]
}
