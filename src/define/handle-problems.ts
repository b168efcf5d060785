import { type Duration, toMilliseconds } from '../util/duration.ts'

/** The parts of a definition that can be wrong in ways that its types cannot express. */
interface CheckedDefinition {
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

/**
 * Refuses a definition that could not work.
 *
 * @throws {TypeError} that names the kind and the reason.
 * @throws {RangeError} for text that is not a duration.
 */
export function checkHandleDefinition(definition: CheckedDefinition): void {
  const [problem] = findProblems(definition)
  if (problem !== undefined) {
    throw new TypeError(`Invalid handle "${definition.name}": ${problem}.`)
  }
}

function findProblems(definition: CheckedDefinition): readonly string[] {
  const { name, prefix, scope, idle, max, perCaller, tables, verbs, sql = {} } = definition
  const idleMs = toMilliseconds(idle)
  const all = [...Object.entries(verbs), ...Object.entries(sql)]
  const names = all.map(([verb]) => verb)
  return [
    ...(namePattern.test(name)
      ? []
      : ['`name` must begin with a letter and have at most 32 letters, digits, "_" and "-"']),
    ...(scope === 'caller' || (prefix !== undefined && prefixPattern.test(prefix))
      ? []
      : ['`prefix` must be 2 to 8 lower-case letters and digits, and begin with a letter']),
    ...(idleMs > 0 ? [] : ['`idle` must be greater than zero']),
    ...(max === undefined || toMilliseconds(max) >= idleMs
      ? []
      : ['`max` must not be shorter than `idle`']),
    ...(perCaller === undefined || (Number.isSafeInteger(perCaller) && perCaller > 0)
      ? []
      : ['`perCaller` must be a whole number, 1 or more']),
    ...((tables === undefined) === (definition.sql === undefined)
      ? []
      : ['`tables` and `sql` must be set together']),
    ...names
      .filter(isReserved)
      .map(
        (verb) =>
          `"${verb}" cannot be the name of a verb: it is reserved, or not letters, digits and "_" after a letter`,
      ),
    ...names
      .filter((verb, index) => names.indexOf(verb) !== index)
      .map((verb) => `\`verbs\` and \`sql\` both have a verb "${verb}"`),
    ...(isAsync(definition.start)
      ? ['`start` must not be async: the first state is needed at once']
      : []),
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

function isAsync(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object AsyncFunction]'
}
