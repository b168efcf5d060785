import { isDuration, toMilliseconds } from '../../kit/duration.ts'
import { isJsonObject } from '../../wire/json.ts'

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
