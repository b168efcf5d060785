import { isJsonObject } from '../wire/json.ts'
import { refuse, type Refusal } from './answer.ts'
import { findFlaw } from './json-flaw.ts'
import { countMembers, maxDepth } from './json-scan.ts'

/** A value that came as JSON, together with the promise that nothing of the text was lost. */
export interface ReadJson {
  readonly kind: 'json'
  readonly value: unknown
}

/**
 * Reads JSON text: at most 64 levels deep, no key twice in one object, no half surrogate pairs, no
 * number beyond what one can be.
 * Bounded in time by one pass over the text besides `JSON.parse`.
 */
export function readJson(text: string): ReadJson | Refusal {
  const members = countMembers(text)
  if (members === null) return invalid(`it is nested deeper than ${maxDepth} levels.`)
  const parsed = parse(text)
  if (parsed.kind === 'refusal') return parsed
  const kept = countParsed(parsed.value)
  if (Number.isNaN(kept)) return invalid('a number in it is too large to be read.')
  // only text that lost members in parsing, or that writes characters as \u, is worth a closer look
  const isPlain = members === kept && !text.includes('\\u')
  const flaw = isPlain ? null : findFlaw(text)
  return flaw === null ? parsed : invalid(flaw)
}

function parse(text: string): ReadJson | Refusal {
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch (error) {
    const where = error instanceof Error ? error.message : 'no reason given'
    return refuse({ kind: 'unparsable', why: `the body is not JSON: ${where}.` })
  }
}

/** The members of all objects; not a number where a number became infinite, and so another one. */
// for...in, not Object.values: this runs on every request, and an array made for each object shows
function countParsed(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countParsed(item), 0)
  if (!isJsonObject(value)) return 0
  let members = 0
  for (const key in value) members += 1 + countParsed(value[key])
  return members
}

function invalid(why: string): Refusal {
  return refuse({ kind: 'invalid-request', why })
}
