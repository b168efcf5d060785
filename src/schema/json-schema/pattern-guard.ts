import { excerpt } from '../../util/excerpt.ts'
import type { Budget } from './budget.ts'

/** The longest text, in characters, that a pattern is matched against if it may read it repeatedly. */
export const longestMatched = 500

const shortText = 64
const maxNarrowChoices = 3
const matchesPerStep = 1_000

/** Thrown when a text is too long for its pattern. The sender reads the message. */
export class TextTooLong extends Error {
  constructor(pattern: string) {
    super(
      `A text of more than ${longestMatched} characters cannot be matched against ` +
        `${excerpt(pattern)}. Shorten it.`,
    )
  }
}

/**
 * Creates the function that matches a text. The time of a match grows with a power of the text's length
 * for each loop that can share its letters with another, and a match cannot be stopped. So a match spends
 * its steps in advance, and a text of more than 500 characters is matched only by patterns that
 * certainly read it once.
 *
 * @throws {SyntaxError} for an invalid pattern. The function throws {@link TextTooLong}.
 */
export function createMatch(pattern: string, budget: Budget): (text: string) => boolean {
  const expression = new RegExp(pattern, 'u')
  const power = powerOf(pattern)
  return (text) => {
    budget.spendOnText(text)
    if (power > 1) {
      if (text.length > longestMatched) throw new TextTooLong(pattern)
      budget.spend(priceOf(text.length > shortText ? longestMatched : shortText, power))
    }
    return expression.test(text)
  }
}

/** Returns the power of a text's length by which its match may grow; 3 stands for more as well. */
export function powerOf(pattern: string): number {
  const regex = readRegex(pattern)
  const choices = regex.flat().flatMap(choicesOf)
  if (choices.length === 0) return 1
  const wide = choices.filter((choice) => choice === 'wide').length
  const loops = choices.length - wide > maxNarrowChoices ? Math.max(wide, 2) : wide
  // without an anchor, the engine starts again at each letter
  const isAnchored = pattern.startsWith('^') && regex.length === 1
  return Math.min(isAnchored ? loops : Math.max(loops, 1) + 1, 3)
}

/** Lists the choices of an item: narrow ones have a few ways, wide ones grow with the text. */
function choicesOf({ atom, group, min, max, isLook }: RegexItem): readonly ('narrow' | 'wide')[] {
  const inside = group.flat().flatMap(choicesOf)
  const spread = max - min
  if (atom !== null) return toChoices(spread)
  // rounds of a fixed sequence are like letters
  if (group.length === 1 && inside.length === 0 && !isLook) return toChoices(spread)
  if (max > 1 && (spread > 0 || inside.length > 0 || group.length > 1))
    return ['wide', 'wide', ...inside]
  const own = spread > 0 || group.length > 1 || isLook ? (['narrow'] as const) : []
  return [...own, ...inside]
}

function toChoices(spread: number): readonly ('narrow' | 'wide')[] {
  return spread === 0 ? [] : [spread <= maxNarrowChoices ? 'narrow' : 'wide']
}

/** Returns the number of ways to divide a text among the loops, in steps of the budget. */
export function priceOf(length: number, power: number): number {
  const ways = power === 2 ? length ** 2 / 2 : length ** 3 / 6
  return Math.ceil(ways / matchesPerStep)
}

/** One item of a regular expression: a set of characters or a group, with its quantifier. */
export interface RegexItem {
  /** The source of an atom for one character, such as `[a-z]`; `null` for a group. */
  readonly atom: string | null
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
