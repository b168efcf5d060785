import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { createCheck } from './check.ts'
import { toFormSchema } from './form-schema.ts'
import { type JsonSchema, type Schema, isStandardSchema } from './standard-schema.ts'

/**
 * Checks the content of an answered form. Returns `null` if it does not fit the schema, so that the
 * user is asked again. A plain JSON Schema is checked here: forms are known only at run time, when
 * the build can no longer add the checker of JSON Schema, and a form has few keywords.
 */
export async function readFormAnswer(
  schema: Schema,
  content: unknown,
): Promise<{ readonly value: unknown } | null> {
  if (!isStandardSchema(schema)) return isAnswer(schema, content) ? { value: content } : null
  const checked = await createCheck(schema)(content)
  return checked.ok ? { value: checked.value } : null
}

function isAnswer(schema: JsonSchema, content: unknown): boolean {
  if (!isJsonObject(content)) return false
  const { properties, required = [] } = toFormSchema(schema)
  if (!required.every((name) => content[name] !== undefined && Object.hasOwn(content, name))) {
    return false
  }
  return Object.entries(content).every(([name, value]) => {
    if (value === undefined) return true
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (field === undefined) return isOpen(schema)
    return isFieldValue({ ...field, ...readUnlisted(schema, name) }, value)
  })
}

/** A schema for additional fields closes a form too: a client sends only the fields of the form. */
function isOpen({ additionalProperties: more = true }: JsonSchema): boolean {
  return more === true || (isJsonObject(more) && Object.keys(more).length === 0)
}

/** Reads the keywords of a field that restrict its answer, although a form does not have them. */
function readUnlisted({ properties }: JsonSchema, name: string): JsonObject {
  const field = isJsonObject(properties) ? properties[name] : undefined
  if (!isJsonObject(field)) return {}
  const { pattern, uniqueItems } = field
  return { pattern, uniqueItems }
}

function isFieldValue(field: JsonObject, value: unknown): boolean {
  switch (field['type']) {
    case 'string':
      return typeof value === 'string' && isText(field, value)
    case 'integer':
      return Number.isInteger(value) && isWithin(Number(value), field, 'minimum', 'maximum')
    case 'number':
      return typeof value === 'number' && isWithin(value, field, 'minimum', 'maximum')
    case 'array':
      return Array.isArray(value) && isSelection(field, value)
    default:
      return typeof value === 'boolean'
  }
}

/** Longer texts are not matched by a pattern, whose time may grow with a power of the length. */
const longestMatched = 500

function isText(field: JsonObject, text: string): boolean {
  const options = readOptions(field)
  if (options !== null) return options.includes(text)
  const { pattern, format } = field
  // JSON Schema counts code points
  if (!isWithin(Array.from(text).length, field, 'minLength', 'maxLength')) return false
  if (formats.get(format)?.(text) === false) return false
  if (typeof pattern !== 'string') return true
  return text.length <= longestMatched && new RegExp(pattern, 'u').test(text)
}

function isSelection(field: JsonObject, values: readonly unknown[]): boolean {
  const { items, uniqueItems } = field
  const options = isJsonObject(items) ? readOptions(items) : null
  if (uniqueItems === true && new Set(values).size < values.length) return false
  const isListed = values.every((value) => options?.includes(value))
  return isListed && isWithin(values.length, field, 'minItems', 'maxItems')
}

/** Returns the values of a choice in the spelling of a form; `null` for a field without choices. */
function readOptions({ enum: values, oneOf, anyOf }: JsonObject): readonly unknown[] | null {
  if (Array.isArray(values)) return values
  const titled = oneOf ?? anyOf
  return Array.isArray(titled) ? titled.map((option: JsonObject) => option['const']) : null
}

function isWithin(value: number, field: JsonObject, least: string, most: string): boolean {
  const { [least]: min, [most]: max } = field
  return !(typeof min === 'number' && value < min) && !(typeof max === 'number' && value > max)
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
