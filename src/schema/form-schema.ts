import type { FormSchema } from '../protocol/input-request.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import type { Schema } from './standard-schema.ts'
import { toJsonSchema } from './to-json-schema.ts'

/** Keywords of the root that say nothing about the fields, or nothing that a form could break. */
const silent: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'additionalProperties',
])

/**
 * Prints a schema as the restricted JSON Schema of a form: a flat object of strings, numbers,
 * booleans and choices (client/elicitation, "Requested Schema"). What validators print in other
 * words is respelled; what a form cannot say is refused rather than lost, since the user would be
 * asked again without learning why. The answer is still checked by the whole schema.
 *
 * @throws {TypeError} when a form cannot carry the schema; the message names the field, the reason
 *   and what to write instead.
 */
export function toFormSchema(schema: Schema): FormSchema {
  const { type, properties, required, ...rest } = toJsonSchema(schema, 'input')
  if (type !== 'object' || !isJsonObject(properties)) {
    throw new TypeError('A form needs an object schema that names its fields, such as z.object().')
  }
  const stray = Object.keys(rest).find((keyword) => !silent.has(keyword))
  if (stray !== undefined) {
    throw new TypeError(
      `A form cannot carry the keyword "${stray}" on its whole. ` +
        'Say it of single fields, or check it once the answer is there.',
    )
  }
  return { type, properties: toFields(properties), ...readRequired(required, properties) }
}

function toFields(properties: JsonObject): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, toFormField(name, field)]),
  )
}

function readRequired(
  required: unknown,
  properties: JsonObject,
): { readonly required?: readonly string[] } {
  if (!Array.isArray(required) || required.length === 0) return {}
  const names = required.map(String)
  const absent = names.find((name) => !Object.hasOwn(properties, name))
  if (absent === undefined) return { required: names }
  throw new TypeError(
    `The form requires "${absent}", but has no such field. Nobody could answer it.`,
  )
}

/** What a form can say of one kind of field, beside its title, description and default. */
interface Kind {
  readonly keywords: readonly string[]
  readonly isValue: (value: unknown) => boolean
}

const isString = (value: unknown): boolean => typeof value === 'string'

const kinds = {
  string: { keywords: ['minLength', 'maxLength', 'format'], isValue: isString },
  number: { keywords: ['minimum', 'maximum'], isValue: Number.isFinite },
  integer: { keywords: ['minimum', 'maximum'], isValue: Number.isInteger },
  boolean: { keywords: [], isValue: (value) => typeof value === 'boolean' },
  choice: { keywords: ['enum', 'enumNames', 'oneOf'], isValue: isString },
  choices: { keywords: ['items', 'minItems', 'maxItems'], isValue: isStrings },
} as const satisfies Record<string, Kind>

const everywhere = ['type', 'title', 'description', 'default']
/** Keywords that ask nothing of an answer. */
const silentField = new Set(['$comment', 'examples', 'deprecated', 'readOnly', 'writeOnly'])
const formats: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time'])

/**
 * Prints the schema of one field as a form can carry it.
 *
 * @throws {TypeError} when it cannot; see {@link toFormSchema}.
 */
function toFormField(name: string, schema: unknown): JsonObject {
  if (!isJsonObject(schema)) throw toRefusal(name, {}, 'type')
  const { kind, field } = toSpelling(name, schema)
  const { keywords, isValue }: Kind = kinds[kind]
  const carried = new Set([...everywhere, ...keywords])
  const told = Object.entries(field).filter(([keyword]) => !silentField.has(keyword))
  const stray = told.find(([keyword]) => !carried.has(keyword))
  if (stray !== undefined) throw toRefusal(name, schema, stray[0])
  if (field['default'] !== undefined && !isValue(field['default'])) {
    throw toRefusal(name, schema, 'default')
  }
  return Object.fromEntries(told)
}

interface Spelling {
  readonly kind: keyof typeof kinds
  readonly field: JsonObject
}

/** Finds a field's kind, and says the field in the words that a form has for it. */
function toSpelling(name: string, schema: JsonObject): Spelling {
  const choice = readChoice(schema)
  if (choice !== null) {
    const { titled, options } = choice
    const rest = omit(schema, 'const', 'enum', 'anyOf', 'oneOf')
    const offer = titled ? { oneOf: options } : { enum: options }
    return { kind: 'choice', field: { ...rest, type: 'string', ...offer } }
  }
  switch (schema['type']) {
    case 'string':
      return { kind: 'string', field: toText(name, schema) }
    case 'integer':
    case 'number':
      return { kind: schema['type'], field: toFormBounds(schema) }
    case 'boolean':
      return { kind: 'boolean', field: schema }
    case 'array':
      return { kind: 'choices', field: toChoices(name, schema) }
    default:
      throw toRefusal(name, schema, 'type')
  }
}

function toText(name: string, schema: JsonObject): JsonObject {
  if (schema['format'] === undefined) return schema
  if (!formats.has(schema['format'])) throw toRefusal(name, schema, 'format')
  // zod prints the pattern by which it checks a format: the format says it to the client
  return omit(schema, 'pattern')
}

function toChoices(name: string, schema: JsonObject): JsonObject {
  const { items, ...rest } = schema
  const choice = isJsonObject(items) ? readChoice(items) : null
  if (choice === null) throw toRefusal(name, schema, 'items')
  const { titled, options } = choice
  const offer = titled ? { anyOf: options } : { type: 'string', enum: options }
  // what is ticked is ticked once
  return { ...omit(rest, 'uniqueItems'), items: offer }
}

function omit(schema: JsonObject, ...keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)))
}

/**
 * Says the bounds of a number as `minimum` and `maximum`, the only ones that a form has. Between two
 * integers there is nothing, so their exclusive bounds move by one; and the safe range that zod
 * prints for every integer goes without saying. Of other numbers exclusive bounds stay as they are.
 */
function toFormBounds(schema: JsonObject): JsonObject {
  if (schema['type'] !== 'integer') return schema
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = schema
  const above = typeof exclusiveMinimum === 'number' ? Math.floor(exclusiveMinimum) + 1 : null
  const below = typeof exclusiveMaximum === 'number' ? Math.ceil(exclusiveMaximum) - 1 : null
  const low = Math.max(...[minimum, above].filter(isNumber))
  const high = Math.min(...[maximum, below].filter(isNumber))
  return {
    ...rest,
    ...(low > Number.MIN_SAFE_INTEGER ? { minimum: low } : {}),
    ...(high < Number.MAX_SAFE_INTEGER ? { maximum: high } : {}),
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

/** One thing to choose, with the name that the user sees. */
interface Option {
  readonly const: string
  readonly title: string
}

/** The options of a choice: by themselves, or with names for people. */
type Choice =
  | { readonly titled: false; readonly options: readonly string[] }
  | { readonly titled: true; readonly options: readonly Option[] }

/**
 * Reads what a schema offers to choose from, in any of the ways in which validators spell it: an
 * `enum`, a `const`, or a union of constants. `null` for anything but a choice among strings.
 */
function readChoice(schema: JsonObject): Choice | null {
  const { enum: values, const: value, oneOf, anyOf } = schema
  if (isStrings(values)) return { titled: false, options: values }
  if (typeof value === 'string') return { titled: false, options: [value] }
  const union = oneOf ?? anyOf
  if (!Array.isArray(union) || union.length === 0) return null
  const options = union.map(readOption)
  if (!options.every((option) => option !== null)) return null
  // validators name no constant unless told to: then the shorter spelling says as much
  if (options.every(({ title }) => title === undefined)) {
    return { titled: false, options: options.map(({ value }) => value) }
  }
  return {
    titled: true,
    options: options.map(({ value, title = value }) => ({ const: value, title })),
  }
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string')
}

function readOption(member: unknown): { value: string; title?: string } | null {
  if (!isJsonObject(member) || typeof member['const'] !== 'string') return null
  const { const: value, title } = member
  return typeof title === 'string' ? { value, title } : { value }
}

const checkLater = 'Say the rule in its description and check it with a refinement.'

/** What is wrong with a keyword in a form, and what to write instead. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['anyOf', 'it is a union, and a form can offer only strings to choose from. Use an enum.'],
  ['oneOf', 'it is a union, and a form can offer only strings to choose from. Use an enum.'],
  ['enum', 'a form can offer only strings to choose from. Use an enum of strings.'],
  ['const', 'a form has no constants. Ask without it and look at the answer.'],
  ['$ref', 'it points to a shared definition. Write the schema of the field in place.'],
  ['items', 'a form takes several values only from a fixed choice. Use an array of an enum.'],
  ['exclusiveMinimum', 'a form has inclusive bounds only. Use a minimum.'],
  ['exclusiveMaximum', 'a form has inclusive bounds only. Use a maximum.'],
  ['default', 'its default is not a value of its type. Give it one that the user could send.'],
])

/** The error for a field that no form can carry, because of one of its keywords. */
function toRefusal(name: string, schema: JsonObject, keyword: string): TypeError {
  return new TypeError(`A form cannot carry the field "${name}": ${explain(schema, keyword)}`)
}

function explain(schema: JsonObject, keyword: string): string {
  switch (keyword) {
    case 'type':
      return explainType(schema)
    case 'format':
      return `its format ${JSON.stringify(schema['format'])} is none of email, uri, date and date-time. ${checkLater}`
    default:
      return reasons.get(keyword) ?? `a form has no "${keyword}". ${checkLater}`
  }
}

function explainType(schema: JsonObject): string {
  const { type } = schema
  if (type === 'object') {
    return 'it is an object, and forms are flat. Ask for its members as fields of their own.'
  }
  if (Array.isArray(type) && type.includes('null')) {
    return 'it may be null, which a form cannot send. Make it optional instead.'
  }
  const union = ['anyOf', 'oneOf', 'allOf', '$ref'].find((keyword) => schema[keyword] !== undefined)
  if (union !== undefined) return explain(schema, union)
  return 'its type is none of string, number, integer, boolean, an enum and an array of an enum.'
}
