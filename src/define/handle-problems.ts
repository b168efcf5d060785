import { type Duration, toMilliseconds } from '../util/duration.ts'

/** The part of a definition that can be wrong in ways that its types cannot see. */
interface Checkable {
  readonly name: string
  readonly prefix?: string
  readonly scope?: 'caller'
  readonly idle: Duration
  readonly max?: Duration
  readonly perCaller?: number
  readonly tables?: string
  readonly start: unknown
  readonly verbs: object
  readonly sql?: object
}

const namePattern = /^[a-z][a-z0-9_-]{0,31}$/i
const prefixPattern = /^[a-z][a-z0-9]{1,7}$/

// members that every opened handle has; and `then`, since awaiting a handle would call that verb
const taken: ReadonlySet<string> = new Set(['id', 'read', 'end', 'then'])

/**
 * Refuses a definition that could not work.
 *
 * @throws {TypeError} that names the kind and the reason.
 * @throws {RangeError} for text that is not a duration.
 */
export function checkDefinition(definition: Checkable): void {
  const [problem] = findProblems(definition)
  if (problem !== undefined) {
    throw new TypeError(`The handle "${definition.name}" cannot be: ${problem}.`)
  }
}

function findProblems(definition: Checkable): readonly string[] {
  const { name, prefix, scope, idle, max, perCaller, tables, verbs, sql = {} } = definition
  const idleMs = toMilliseconds(idle)
  const all = [...Object.entries(verbs), ...Object.entries(sql)]
  const names = all.map(([verb]) => verb)
  return [
    ...(namePattern.test(name)
      ? []
      : ['its name must begin with a letter and have at most 32 letters, digits, "_" and "-"']),
    ...(scope === 'caller' || (prefix !== undefined && prefixPattern.test(prefix))
      ? []
      : ['its prefix must be 2 to 8 lower-case letters and digits, a letter first']),
    ...(idleMs > 0 ? [] : ['its idle time must be longer than nothing']),
    ...(max === undefined || toMilliseconds(max) >= idleMs
      ? []
      : ['its max must not be shorter than its idle time']),
    ...(perCaller === undefined || (Number.isSafeInteger(perCaller) && perCaller > 0)
      ? []
      : ['its perCaller must be a whole number, 1 or more']),
    ...((tables === undefined) === (definition.sql === undefined)
      ? []
      : ['it needs both tables and sql verbs, or neither']),
    ...names.filter(isUnusable).map((verb) => `a verb cannot be called "${verb}"`),
    ...names
      .filter((verb, index) => names.indexOf(verb) !== index)
      .map((verb) => `it has two verbs called "${verb}"`),
    ...(isAsync(definition.start)
      ? ['its start must not be async: the first state is needed at once']
      : []),
    ...all
      .filter(([, verb]) => isAsync(verb))
      .map(
        ([name]) => `its verb "${name}" must not be async: nothing may come between what it does`,
      ),
  ]
}

function isUnusable(verb: string): boolean {
  return !/^[a-z]\w*$/i.test(verb) || taken.has(verb) || verb in Object.prototype
}

function isAsync(written: unknown): boolean {
  return Object.prototype.toString.call(written) === '[object AsyncFunction]'
}
