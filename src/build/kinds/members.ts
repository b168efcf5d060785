import { closest, distance } from 'fastest-levenshtein'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { isDuration, toMilliseconds } from '../../util/duration.ts'

/** What may stand in the definitions of one kind. */
export interface MemberRules {
  /** Such as `tool`. */
  readonly what: string
  readonly members: Readonly<Record<string, MemberRule>>
  /** The members that have to be there, each with what it is for. */
  readonly needed: Readonly<Record<string, string>>
  /** Keys that people bring along from elsewhere, each with what to do instead. */
  readonly elsewhere: Readonly<Record<string, string>>
}

/** What is missing from a definition, what is not known there, and what is not as it should be. */
export function findMemberProblems(
  { what, members, needed, elsewhere }: MemberRules,
  definition: JsonObject,
): readonly string[] {
  const missing = Object.entries(needed)
    .filter(([key]) => definition[key] === undefined)
    .map(([key, use]) => `\`${key}\` is missing. ${use}`)
  const known = Object.keys(members)
  const wrong = Object.entries(definition).flatMap(([key, value]) => {
    const rule = Object.hasOwn(members, key) ? members[key] : undefined
    if (rule === undefined) {
      const advice = Object.hasOwn(elsewhere, key) ? elsewhere[key] : undefined
      return `\`${key}\` ${advice ?? `is nothing that a ${what} has. ${toHint(key, known)}`}`
    }
    const problem = value === undefined ? null : rule(value)
    return problem === null ? [] : `\`${key}\` ${problem}`
  })
  return [...missing, ...wrong]
}

/** What was probably meant, where only a letter or two are wrong, or else all that there is. */
function toHint(key: string, known: readonly string[]): string {
  const nearest = closest(key, [...known])
  const isNear = distance(key, nearest) <= Math.min(2, nearest.length / 3)
  return isNear ? `Did you mean \`${nearest}\`?` : `It has: ${known.join(', ')}.`
}

/** Says what is wrong with the value of a member, after the member's name; `null` if nothing is. */
export type MemberRule = (value: unknown) => string | null

/** For members that are looked at elsewhere. */
export const anything: MemberRule = () => null

export const mustBeText: MemberRule = (value) =>
  typeof value === 'string' && value.trim() !== '' ? null : 'must be text, and not empty.'

export const mustBeFunction: MemberRule = (value) =>
  typeof value === 'function' ? null : 'is no function.'

export const mustBeIcons: MemberRule = (icons) =>
  Array.isArray(icons) ? null : 'is no list of icons, such as [{ src }].'

/** For objects whose members are functions, such as verbs. */
export const mustBeFunctions: MemberRule = (value) => {
  if (!isJsonObject(value)) return 'is no object of functions.'
  const others = Object.keys(value).filter((key) => typeof value[key] !== 'function')
  return others.length === 0 ? null : `has ${others.join(', ')}, which should be a function.`
}

/** For times that end something: none may be zero. */
export const mustBeTime =
  (what: string, examples: string): MemberRule =>
  (value) =>
    isDuration(value) && toMilliseconds(value) > 0
      ? null
      : `is ${JSON.stringify(value)}, which is no ${what}. Write one such as ${examples}.`

/** For times that caches keep, which know whole seconds only. */
export const mustBeKeepable: MemberRule = (value) =>
  isDuration(value) && toMilliseconds(value) >= 1000
    ? null
    : `is ${JSON.stringify(value)}, which is no time to keep results: a second or more. Write one such as "30s" or "10m".`

export const mustBeFlag: MemberRule = (value) =>
  typeof value === 'boolean' ? null : 'is neither true nor false.'

/** For scopes: the tokens of RFC 6749, 3.3. */
export const mustBeScopes: MemberRule = (scopes) =>
  Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string' && isScope(scope))
    ? null
    : 'is no list of scopes, such as ["shop:write"]: texts without spaces and quotes.'

function isScope(text: string): boolean {
  return /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(text)
}

const longest = 128

/** What is wrong with a name that clients will call (server/tools, "Tool Names"). */
export function findNameProblems(name: unknown): readonly string[] {
  if (typeof name !== 'string') {
    return [`\`name\` is ${typeof name}, not text. Leave it out to be named after the file.`]
  }
  if (/^[\w.-]+$/.test(name) && name.length <= longest) return []
  const shown = name.length > longest ? `${name.slice(0, 40)}...` : name
  return [
    `${JSON.stringify(shown)} cannot be a name: 1 to ${longest} of A-Z, a-z, 0-9, "_", "." and "-" ` +
      'can. Rename the file, or set `name`.',
  ]
}

/** What makes a result depend on more than its arguments and its caller, and why. */
const impossible = {
  uses: 'what a handle holds changes while the result is kept',
  ask: 'an answer of the user belongs to one call',
} as const

/** What does not go together in a tool whose results are kept, or in one whose results are not. */
export function findCacheProblems(tool: JsonObject): readonly string[] {
  if (tool['cache'] === undefined) {
    return ['stale', 'shared']
      .filter((key) => tool[key] !== undefined)
      .map(
        (key) => `\`${key}\` says how results are kept, and none are. Set \`cache\`, or remove it.`,
      )
  }
  const { hints } = tool
  const isReadOnly = isJsonObject(hints) && hints['readOnly'] === true
  return [
    ...(isReadOnly ? [] : [notReadOnly]),
    ...Object.entries(impossible)
      .filter(([key]) => tool[key] !== undefined)
      .map(([key, why]) => `\`cache\` does not go with \`${key}\`: ${why}. Remove one of the two.`),
  ]
}

/** What is wrong with how long a resource is kept. */
export function findStaleProblems(resource: JsonObject): readonly string[] {
  if (resource['stale'] === undefined) return []
  const { cache } = resource
  if (!isDuration(cache) || toMilliseconds(cache) < 1000) {
    return [
      '`stale` follows on a `cache` of a second or more, and there is none. Set it, or remove `stale`.',
    ]
  }
  if (resource['ask'] === undefined) return []
  return [
    '`stale` does not go with `ask`: a read with questions is kept nowhere. Remove one of them.',
  ]
}

const notReadOnly =
  '`cache` keeps results, so that a call may do nothing but return one. Say so with ' +
  '`hints: { readOnly: true }`, or remove `cache`.'
