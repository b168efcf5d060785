import { closest, distance } from 'fastest-levenshtein'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { findMemberProblem } from '../../protocol/read-members.ts'
import { isDuration, toMilliseconds } from '../../util/duration.ts'

export interface MemberRules {
  readonly what: string
  readonly members: Readonly<Record<string, MemberRule>>
  /** The required members, each with a sentence about its purpose. */
  readonly required: Readonly<Record<string, string>>
  /** Names from other frameworks and earlier versions, each with what to write instead. */
  readonly otherNames: Readonly<Record<string, string>>
}

/** Finds members that are missing, unknown or have a wrong value. */
export function findMemberProblems(
  { what, members, required, otherNames }: MemberRules,
  definition: JsonObject,
): readonly string[] {
  const missing = Object.entries(required)
    .filter(([key]) => definition[key] === undefined)
    .map(([key, purpose]) => `\`${key}\` is missing. ${purpose}`)
  const known = Object.keys(members)
  const wrong = Object.entries(definition).flatMap(([key, value]) => {
    const rule = Object.hasOwn(members, key) ? members[key] : undefined
    if (rule === undefined) {
      const advice = Object.hasOwn(otherNames, key) ? otherNames[key] : undefined
      return `\`${key}\` ${advice ?? `is not a ${what} option. ${toHint(key, known)}`}`
    }
    return (value === undefined ? null : rule(value, key)) ?? []
  })
  return [...missing, ...wrong]
}

/** Suggests the option that differs in a letter or two, or else lists all of them. */
export function toHint(key: string, known: readonly string[]): string {
  const nearest = closest(key, [...known])
  const isNear = distance(key, nearest) <= Math.min(2, nearest.length / 3)
  return isNear ? `Did you mean \`${nearest}\`?` : `Options: ${known.join(', ')}.`
}

/** Returns a sentence about what is wrong with the value of the member `key`, or `null`. */
export type MemberRule = (value: unknown, key: string) => string | null

function mustBe(what: string, isValid: (value: unknown) => boolean): MemberRule {
  return (value, key) => (isValid(value) ? null : `\`${key}\` must be ${what}.`)
}

export const anyValue: MemberRule = () => null

export const mustBeText: MemberRule = mustBe(
  'a non-empty string',
  (value) => typeof value === 'string' && value.trim() !== '',
)

export const mustBeFunction: MemberRule = mustBe(
  'a function',
  (value) => typeof value === 'function',
)

export const mustBeFlag: MemberRule = mustBe('true or false', (value) => typeof value === 'boolean')

export const mustBeCount: MemberRule = mustBe(
  'a whole number, 1 or more',
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
)

export const mustBeIcons: MemberRule = (value) => findMemberProblem('icons', value)

// the tokens of RFC 6749, 3.3
export const mustBeScopes: MemberRule = mustBe(
  'an array of scopes without spaces and quotes, such as ["shop:write"]',
  (value) => Array.isArray(value) && value.every((scope) => isText(scope) && isScope(scope)),
)

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isScope(text: string): boolean {
  return /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(text)
}

export const mustBeFunctions: MemberRule = (value, key) => {
  if (!isJsonObject(value)) return `\`${key}\` must be an object of functions.`
  const wrong = Object.keys(value).find((name) => typeof value[name] !== 'function')
  return wrong === undefined ? null : mustBeFunction(value[wrong], `${key}.${wrong}`)
}

/** For durations, none of which may be zero. */
export const mustBeTime =
  (examples: string): MemberRule =>
  (value, key) =>
    isDuration(value) && toMilliseconds(value) > 0
      ? null
      : toWrongValue(
          key,
          value,
          isTooLong(value)
            ? 'at most "36500d"'
            : `a duration longer than zero, such as ${examples}`,
        )

function isTooLong(value: unknown): boolean {
  return typeof value === 'string' && /^[\d.]+(?:ms|[smhd])$/.test(value) && !isDuration(value)
}

/** For durations of caches, which count whole seconds. */
export const mustBeSeconds: MemberRule = (value, key) =>
  isSeconds(value)
    ? null
    : toWrongValue(key, value, 'a duration of one second or more, such as "30s" or "10m"')

export function isSeconds(value: unknown): boolean {
  return isDuration(value) && toMilliseconds(value) >= 1000
}

/** Names the value that was found, for values that are short. */
export function toWrongValue(key: string, value: unknown, wanted: string): string {
  // JSON refuses a bigint, and turns NaN to null
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  return `\`${key}\` is ${isNumber ? String(value) : JSON.stringify(value)}. It must be ${wanted}.`
}

const longest = 128

/** Finds what is wrong with a name that clients call (server/tools, "Tool Names"). */
export function findNameProblems(name: unknown): readonly string[] {
  if (typeof name !== 'string') {
    return ['`name` must be a string. Leave it out to use the name of the file.']
  }
  if (/^[\w.-]+$/.test(name) && name.length <= longest) return []
  const shown = name.length > longest ? `${name.slice(0, 40)}...` : name
  return [
    `${JSON.stringify(shown)} is not a valid name. A name has 1 to ${longest} characters of A-Z, ` +
      'a-z, 0-9, "_", "." and "-". Rename the file, or set `name`.',
  ]
}
