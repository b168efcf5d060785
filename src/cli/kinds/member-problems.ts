import { closest, distance } from 'fastest-levenshtein'
import type { JsonObject } from '../../wire/json.ts'
import type { MemberRule } from './member-rule.ts'

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
