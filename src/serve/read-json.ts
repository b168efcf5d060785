import type { Failure } from '../protocol/failure.ts'
import { isJsonObject } from '../protocol/json.ts'
import { fail } from '../protocol/outcome.ts'
import { excerpt } from '../util/excerpt.ts'

type Failed = { readonly kind: 'failure'; readonly failure: Failure }

/** A parsed value. Besides a number that `inexact` names, no part of the text was lost by parsing. */
interface ReadJson {
  readonly kind: 'json'
  readonly value: unknown
  /** A sentence about the first large number that became another number. */
  readonly inexact?: string
}

/**
 * Reads JSON text strictly: at most 64 levels deep, without duplicate keys, half surrogate pairs or
 * numbers that become infinite, and with a sentence about a large number that was changed. It takes
 * one pass over the text besides `JSON.parse`.
 */
export function readJson(text: string): ReadJson | Failed {
  const members = countMembers(text)
  if (members === null) return invalid(`it is nested deeper than ${maxDepth} levels.`)
  const parsed = parse(text)
  if (parsed.kind === 'failure') return parsed
  const parsedMembers = countParsed(parsed.value)
  // only text that lost members in parsing, or that contains \u escapes, needs the slower check
  const isPlain = members === parsedMembers && !text.includes('\\u')
  const flaw = isPlain ? null : findFlaw(text)
  if (flaw !== null) return invalid(flaw)
  return Number.isNaN(parsedMembers) ? checkNumbers(text, parsed) : parsed
}

function parse(text: string): ReadJson | Failed {
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch (error) {
    const where = error instanceof Error ? error.message : 'no reason given'
    return fail({ kind: 'unparsable', why: `the body is not JSON: ${where}.` })
  }
}

/** Counts the members of all objects; NaN if a number may have been changed by parsing. */
// for...in, not Object.values, whose arrays would slow down every request
function countParsed(value: unknown): number {
  if (typeof value === 'number') return Math.abs(value) < firstInexact ? 0 : Number.NaN
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countParsed(item), 0)
  if (!isJsonObject(value)) return 0
  let members = 0
  for (const key in value) members += 1 + countParsed(value[key])
  return members
}

/** Whether a parsed value has a number that parsing may have changed. */
export function hasInexact(value: unknown): boolean {
  return Number.isNaN(countParsed(value))
}

function invalid(why: string): Failed {
  return fail({ kind: 'invalid-request', why })
}

const maxDepth = 64

const quote = 0x22
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Counts the members of all objects in JSON text; `null` if it is nested deeper than {@link
 * maxDepth}. It runs before `JSON.parse`, which would first build a million nested arrays.
 */
function countMembers(text: string): number | null {
  let depth = 0
  let members = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case openBrace:
      case openBracket:
        if (++depth > maxDepth) return null
        break
      case closeBrace:
      case closeBracket:
        depth--
        break
      case colon:
        members++
        break
      case quote:
        at = endOfString(text, at)
    }
  }
  return members
}

/** From here on a number may be the nearest one to what was sent. Fractions are rounded everywhere. */
const firstInexact = 2 ** 53

const numberToken = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/iy

/** Reads the large numbers of a JSON text again, which `JSON.parse` rounds without a sign. */
function checkNumbers(text: string, parsed: ReadJson): ReadJson | Failed {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === quote) at = endOfString(text, at)
    numberToken.lastIndex = at
    const [token = ''] = numberToken.exec(text) ?? []
    const value = Number(token)
    if (!Number.isFinite(value)) return invalid('a number in it is too large to be read.')
    if (Math.abs(value) >= firstInexact && !isExact(token, value)) {
      const inexact =
        `The number ${excerpt(token, 60)} is too large to be read exactly: it would become ` +
        `${value}. Send it as text.`
      return { ...parsed, inexact }
    }
    at += Math.max(token.length - 1, 0)
  }
  return parsed
}

/** Returns whether a number has all the digits that were sent, such as 2^53 and 1e21. */
function isExact(token: string, value: number): boolean {
  const digits = token.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '')
  if (digits.length > 100) return false
  const [mantissa = ''] = Math.abs(value)
    .toExponential(digits.length - 1)
    .split('e')
  return mantissa.replace('.', '') === digits
}

/**
 * Finds what `JSON.parse` accepts and Helve does not, as the end of a sentence; `null` if there is
 * nothing. The text must be valid JSON.
 * - A key twice in one object: readers differ in which value they use, so a gateway and this server
 * could act on different ones.
 * - Half a surrogate pair, which no UTF-8 reply can represent.
 */
function findFlaw(text: string): string | null {
  const openKeys: (Set<string> | null)[] = [] // of each open object; null stands for an array
  let isKey = false
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
        openKeys.push(new Set())
        isKey = true
        break
      case '[':
        openKeys.push(null)
        break
      case '}':
      case ']':
        openKeys.pop()
        break
      case ',':
        isKey = true // means nothing in an array, which has no keys to look among
        break
      case '"': {
        const end = endOfString(text, at)
        const string = String(JSON.parse(text.slice(at, end + 1)))
        if (!string.isWellFormed()) return 'a string in it has half a surrogate pair.'
        const keys = isKey ? openKeys.at(-1) : null
        if (keys?.has(string)) return `the key "${excerpt(string)}" stands twice.`
        keys?.add(string)
        isKey = false
        at = end
      }
    }
  }
  return null
}

/**
 * Returns the index of the closing quote of a JSON string, or the length of the text if there is
 * none: `JSON.parse` reports that.
 */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charAt(first - 1) === '\\') first--
  return (at - first) % 2 === 1
}
