import { isDuration, toMilliseconds } from '../util/duration.ts'

/** A definition as an author without a compiler may write it. */
interface UncheckedDefinition {
  readonly name?: unknown
  readonly prefix?: unknown
  readonly scope?: unknown
  readonly idle?: unknown
  readonly max?: unknown
  readonly perCaller?: unknown
  readonly tables?: unknown
  readonly state?: unknown
  readonly start?: unknown
  readonly verbs?: unknown
  readonly sql?: unknown
}

/**
 * Refuses a definition that could not work.
 *
 * @throws {TypeError} that names the kind, the member and the reason.
 */
export function checkHandleDefinition(definition: UncheckedDefinition): void {
  const [problem] = [...findMemberProblems(definition), ...findVerbProblems(definition)]
  if (problem === undefined) return
  const { name } = definition
  const named = typeof name === 'string' ? ` "${name}"` : ''
  throw new TypeError(`Invalid handle${named}: ${problem}.`)
}

function findMemberProblems(definition: UncheckedDefinition): readonly string[] {
  const { name, prefix, scope, idle, max, perCaller, tables, sql, state, start } = definition
  const idleMs = isDuration(idle) ? toMilliseconds(idle) : null
  return [
    ...(isMatch(namePattern, name)
      ? []
      : ['`name` must begin with a letter and have at most 32 letters, digits, "_" and "-"']),
    ...(scope === 'caller' || isMatch(prefixPattern, prefix)
      ? []
      : ['`prefix` must be 2 to 8 lower-case letters and digits, and begin with a letter']),
    ...toDurationProblems('idle', idle),
    ...(idleMs === 0 ? ['`idle` must be greater than zero'] : []),
    ...(max === undefined ? [] : toDurationProblems('max', max)),
    ...(idleMs !== null && isDuration(max) && toMilliseconds(max) < idleMs
      ? ['`max` must not be shorter than `idle`']
      : []),
    ...(perCaller === undefined || (Number.isSafeInteger(perCaller) && Number(perCaller) > 0)
      ? []
      : ['`perCaller` must be a whole number, 1 or more']),
    ...((tables === undefined) === (sql === undefined)
      ? []
      : ['`tables` and `sql` must be set together']),
    ...(isObject(state)
      ? []
      : ['`state` must be a schema, such as z.object({ count: z.number() })']),
    ...(typeof start === 'function'
      ? []
      : ['`start` must be a function that returns the first state']),
    ...(isAsync(start) ? ['`start` must not be async: the first state is needed at once'] : []),
  ]
}

function toDurationProblems(member: string, value: unknown): readonly string[] {
  if (isDuration(value)) return []
  if (value === undefined) return [`\`${member}\` is missing. Write a duration such as "24h"`]
  return [
    `\`${member}\` is ${JSON.stringify(value)}. Write a duration such as "30s", "5m" or "24h"`,
  ]
}

function findVerbProblems({ verbs, sql = {} }: UncheckedDefinition): readonly string[] {
  if (!isObject(verbs)) return ['`verbs` must be an object of functions, which may be empty: {}']
  if (!isObject(sql)) return ['`sql` must be an object of functions']
  const all: [string, unknown][] = [...Object.entries(verbs), ...Object.entries(sql)]
  const names = all.map(([verb]) => verb)
  return [
    ...names
      .filter(isReserved)
      .map(
        (verb) =>
          `"${verb}" cannot be the name of a verb: it is reserved, or not letters, digits and "_" after a letter`,
      ),
    ...names
      .filter((verb, index) => names.indexOf(verb) !== index)
      .map((verb) => `\`verbs\` and \`sql\` both have a verb "${verb}"`),
    ...all
      .filter(([, verb]) => typeof verb !== 'function')
      .map(([name]) => `the verb "${name}" must be a function`),
    ...all
      .filter(([, verb]) => isAsync(verb))
      .map(
        ([name]) =>
          `the verb "${name}" must not be async: no other call may run in the middle of it`,
      ),
  ]
}

const namePattern = /^[a-z][a-z0-9_-]{0,31}$/i
const prefixPattern = /^[a-z][a-z0-9]{1,7}$/

// members of every opened handle; and `then`, since awaiting a handle would call that verb
const reserved: ReadonlySet<string> = new Set(['id', 'read', 'end', 'then'])

function isReserved(verb: string): boolean {
  return !/^[a-z]\w*$/i.test(verb) || reserved.has(verb) || verb in Object.prototype
}

function isMatch(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value)
}

function isObject(value: unknown): value is object {
  // a schema may be a function, as those of ArkType
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

function isAsync(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object AsyncFunction]'
}
