import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import type { FormSchema } from '../protocol/input-request.ts'
import { type Checked, createCheck } from './check.ts'
import { toFormSchema } from './form-schema.ts'
import { type Path, type Problem, formatPhrase, typePhrase } from './problem.ts'
import { toSentences } from './sentences.ts'
import { type JsonSchema, type Schema, isStandardSchema } from './standard-schema.ts'
import { toJsonSchema } from './to-json-schema.ts'

type AnswerCheck =
  | { readonly ok: true; readonly value: unknown }
  /** `why` is for the user, who is asked again. */
  | { readonly ok: false; readonly why: string }

/**
 * Checks the content of an answered form. An optional field that was left blank counts as absent: clients
 * send it as an empty text, whatever its type, and choices as an empty list. A plain JSON Schema is checked here: forms are known only
 * at run time, when the build can no longer add the checker of JSON Schema, and a form has few keywords.
 */
export async function readFormAnswer(schema: Schema, content: unknown): Promise<AnswerCheck> {
  const form = toFormSchema(schema)
  const isRefused = (name: string, blank: unknown): boolean => {
    const field = findField(schema, form, name)
    return field !== null && findFieldProblem(name, field, blank) !== null
  }
  const filled = withoutBlank(content, form, isRefused)
  const checked = await checkAnswer(schema, form, filled)
  if (checked.ok) return { ok: true, value: checked.value }
  // a form does not show every rule of a validator
  const barest = withoutBlank(filled, form, () => true)
  const again = barest === filled ? checked : await checkAnswer(schema, form, barest)
  return again.ok
    ? { ok: true, value: again.value }
    : { ok: false, why: toReason(checked.problems) }
}

function checkAnswer(
  schema: Schema,
  form: FormSchema,
  content: unknown,
): Checked | Promise<Checked> {
  if (isStandardSchema(schema)) return createCheck(schema)(content)
  const problems = toSentences(findAnswerProblems(schema, form, content), content)
  return problems.length === 0 ? { ok: true, value: content } : { ok: false, problems }
}

/** Removes the optional fields that are blank and meet a condition. */
function withoutBlank(
  content: unknown,
  { properties, required = [] }: FormSchema,
  isRemoved: (name: string, blank: unknown) => boolean,
): unknown {
  if (!isJsonObject(content)) return content
  const fields = Object.entries(content)
  const kept = fields.filter(([name, value]) => {
    const isOptional = Object.hasOwn(properties, name) && !required.includes(name)
    return !isBlank(value) || !isOptional || !isRemoved(name, value)
  })
  return kept.length === fields.length ? content : Object.fromEntries(kept)
}

function isBlank(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}

/** The user reads it in a dialog, and it may repeat what was typed. */
const longestReason = 300

function toReason(problems: readonly string[]): string {
  const text = problems.slice(0, 3).join(' ')
  return text.length > longestReason ? `${text.slice(0, longestReason).toWellFormed()}…` : text
}

function findAnswerProblems(
  schema: JsonSchema,
  form: FormSchema,
  content: unknown,
): readonly Problem[] {
  if (!isJsonObject(content)) return [toTypeProblem([], 'object')]
  const { required = [] } = form
  const absent = required.filter(
    (name) => content[name] === undefined || !Object.hasOwn(content, name),
  )
  const missing = absent.map((name) =>
    toTypeProblem([name], String(form.properties[name]?.['type'])),
  )
  const wrong = Object.entries(content).flatMap(([name, value]): readonly Problem[] => {
    if (value === undefined || absent.includes(name)) return []
    const field = findField(schema, form, name)
    if (field === null) return isOpen(schema) ? [] : [{ kind: 'unexpected', path: [name] }]
    const problem = findFieldProblem(name, field, value)
    return problem === null ? [] : [problem]
  })
  return [...missing, ...wrong]
}

/** Returns a field with the keywords that restrict its answer, although a form does not have them. */
function findField(schema: Schema, { properties }: FormSchema, name: string): JsonObject | null {
  const field = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (field === undefined) return null
  const printed = toJsonSchema(schema, 'input')['properties']
  const own = isJsonObject(printed) ? printed[name] : undefined
  if (!isJsonObject(own)) return field
  return { ...field, pattern: own['pattern'], uniqueItems: own['uniqueItems'] }
}

/** A schema for additional fields closes a form too: a client sends only the fields of the form. */
function isOpen({ additionalProperties: more = true }: JsonSchema): boolean {
  return more === true || (isJsonObject(more) && Object.keys(more).length === 0)
}

/** Finds what is wrong with the value of a field; `null` if nothing is. */
function findFieldProblem(name: string, field: JsonObject, value: unknown): Problem | null {
  const path = [name]
  switch (field['type']) {
    case 'string':
      return typeof value === 'string'
        ? findTextProblem(path, field, value)
        : toTypeProblem(path, 'string')
    case 'integer':
      return Number.isInteger(value)
        ? findSizeProblem(path, field, Number(value), null)
        : toTypeProblem(path, 'integer')
    case 'number':
      return typeof value === 'number'
        ? findSizeProblem(path, field, value, null)
        : toTypeProblem(path, 'number')
    case 'array':
      return Array.isArray(value)
        ? findSelectionProblem(path, field, value)
        : toTypeProblem(path, 'array')
    default:
      return typeof value === 'boolean' ? null : toTypeProblem(path, 'boolean')
  }
}

function toTypeProblem(path: Path, type: string): Problem {
  return { kind: 'mismatch', path, expected: [typePhrase(type)], by: 'type' }
}

function toOptionProblem(path: Path, options: readonly unknown[]): Problem {
  const expected = options.map((option) => JSON.stringify(option))
  return { kind: 'mismatch', path, expected, by: 'literal' }
}

/** Longer texts are not matched by a pattern, whose time may grow with a power of the length. */
const longestMatched = 500

function findTextProblem(path: Path, field: JsonObject, text: string): Problem | null {
  const options = readOptions(field)
  if (options !== null) return options.includes(text) ? null : toOptionProblem(path, options)
  const { pattern, format } = field
  // JSON Schema counts code points
  const size = findSizeProblem(path, field, Array.from(text).length, 'character')
  if (size !== null) return size
  if (formats.get(format)?.(text) === false) {
    return { kind: 'mismatch', path, expected: [formatPhrase(String(format))], by: 'format' }
  }
  if (typeof pattern !== 'string') return null
  const isMatched = text.length <= longestMatched && new RegExp(pattern, 'u').test(text)
  return isMatched ? null : { kind: 'message', path, message: `must match ${pattern}` }
}

function findSelectionProblem(
  path: Path,
  field: JsonObject,
  values: readonly unknown[],
): Problem | null {
  const { items, uniqueItems } = field
  const options = (isJsonObject(items) ? readOptions(items) : null) ?? []
  if (uniqueItems === true && new Set(values).size < values.length) {
    return { kind: 'message', path, message: 'must not have an item twice' }
  }
  if (!values.every((value) => options.includes(value))) return toOptionProblem(path, options)
  return findSizeProblem(path, field, values.length, 'item')
}

/** Returns the values of a choice in the spelling of a form; `null` for a field without choices. */
function readOptions({ enum: values, oneOf, anyOf }: JsonObject): readonly unknown[] | null {
  if (Array.isArray(values)) return values
  const titled = oneOf ?? anyOf
  return Array.isArray(titled) ? titled.map((option: JsonObject) => option['const']) : null
}

const bounds = {
  null: ['minimum', 'maximum'],
  character: ['minLength', 'maxLength'],
  item: ['minItems', 'maxItems'],
} as const

function findSizeProblem(
  path: Path,
  field: JsonObject,
  size: number,
  unit: 'character' | 'item' | null,
): Problem | null {
  const [least, most] = bounds[`${unit}`]
  const { [least]: min, [most]: max } = field
  if (typeof min === 'number' && size < min) {
    return { kind: 'size', path, bound: 'at least', limit: min, unit }
  }
  if (typeof max === 'number' && size > max) {
    return { kind: 'size', path, bound: 'at most', limit: max, unit }
  }
  return null
}

const emailName = /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*$/i
const hostLabel = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i
const uriCharacters = /^[a-z][a-z\d+.-]*:(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i
const time = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

const formats: ReadonlyMap<unknown, (text: string) => boolean> = new Map([
  ['email', isEmail],
  ['uri', (text) => uriCharacters.test(text) && URL.canParse(text)],
  ['date', isDate],
  ['date-time', isDateTime],
])

function isEmail(text: string): boolean {
  const [name = '', host = '', ...more] = text.split('@')
  if (more.length > 0 || name.length > 64 || host.length > 253) return false
  return emailName.test(name) && host.split('.').every((label) => hostLabel.test(label))
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(text)
  // a Date moves February 30 to March 2
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text)
}

function isDateTime(text: string): boolean {
  return /^[t\s]$/i.test(text.charAt(10)) && isDate(text.slice(0, 10)) && time.test(text.slice(11))
}
