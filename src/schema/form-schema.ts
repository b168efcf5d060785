import type { FormSchema } from '../protocol/input-request.ts'
import { type JsonObject, isJsonObject, isTextList } from '../protocol/json.ts'
import type { Schema } from './standard-schema.ts'
import { toJsonSchema } from './to-json-schema.ts'

/** Keywords of the root that a form does not need: they do not restrict the fields. */
const ignoredInRoot: ReadonlySet<string> = new Set([
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
 * Converts a schema to the restricted JSON Schema of a form: a flat object of strings, numbers,
 * booleans and choices (client/elicitation, "Requested Schema"). Other spellings of validators are
 * converted. A keyword that a form does not have is an error: if it were dropped, the user would be
 * asked again without learning why.
 *
 * @throws {TypeError} when the schema does not fit a form; the message names the field, the reason and
 *   what to write instead.
 */
export function toFormSchema(schema: Schema): FormSchema {
  const { type, properties, required, ...rest } = toJsonSchema(schema, 'input')
  if (type !== 'object' || !isJsonObject(properties)) {
    throw new TypeError('A form needs an object schema that names its fields, such as z.object().')
  }
  const stray = Object.keys(rest).find((keyword) => !ignoredInRoot.has(keyword))
  if (stray !== undefined) {
    throw new TypeError(
      `A form cannot have the keyword "${stray}" on the whole schema. ` +
        'Use it on single fields, or check the answer in code.',
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
    `The form requires "${absent}", but has no such field. Add the field, or remove it from "required".`,
  )
}

/** The keywords of one kind of field, besides its title, description and default. */
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
  choices: { keywords: ['items', 'minItems', 'maxItems'], isValue: isTextList },
} as const satisfies Record<string, Kind>

const common = ['type', 'title', 'description', 'default']
/** Keywords of a field that do not restrict the answer. */
const ignoredInField = new Set(['$comment', 'examples', 'deprecated', 'readOnly', 'writeOnly'])
const formats: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time'])

function toFormField(name: string, schema: unknown): JsonObject {
  if (!isJsonObject(schema)) throw toFieldError(name, {}, 'type')
  const { kind, field } = toKindedField(name, schema)
  const { keywords, isValue }: Kind = kinds[kind]
  const allowed = new Set([...common, ...keywords])
  const members = Object.entries(field).filter(([keyword]) => !ignoredInField.has(keyword))
  const stray = members.find(([keyword]) => !allowed.has(keyword))
  if (stray !== undefined) throw toFieldError(name, schema, stray[0])
  if (field['default'] !== undefined && !isValue(field['default'])) {
    throw toFieldError(name, schema, 'default')
  }
  return Object.fromEntries(members)
}

interface KindedField {
  readonly kind: keyof typeof kinds
  readonly field: JsonObject
}

function toKindedField(name: string, schema: JsonObject): KindedField {
  const choice = readChoice(schema)
  if (choice !== null) {
    const { titled, options } = choice
    const rest = omit(schema, 'const', 'enum', 'anyOf', 'oneOf')
    const listed = titled ? { oneOf: options } : { enum: options }
    return { kind: 'choice', field: { ...rest, type: 'string', ...listed } }
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
      throw toFieldError(name, schema, 'type')
  }
}

function toText(name: string, schema: JsonObject): JsonObject {
  if (schema['format'] === undefined) return schema
  if (!formats.has(schema['format'])) throw toFieldError(name, schema, 'format')
  // zod prints a format together with its pattern, which a form does not have
  return omit(schema, 'pattern')
}

function toChoices(name: string, schema: JsonObject): JsonObject {
  const { items, ...rest } = schema
  const choice = isJsonObject(items) ? readChoice(items) : null
  if (choice === null) throw toFieldError(name, schema, 'items')
  const { titled, options } = choice
  const listed = titled ? { anyOf: options } : { type: 'string', enum: options }
  // a form offers each option once, so `uniqueItems` is implied
  return { ...omit(rest, 'uniqueItems'), items: listed }
}

function omit(schema: JsonObject, ...keywords: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)))
}

/**
 * Converts the exclusive bounds of an integer to `minimum` and `maximum`, the only bounds of a form,
 * and removes the safe range that zod prints for every integer.
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

/** One option of a choice, with the title that the user sees. */
interface Option {
  readonly const: string
  readonly title: string
}

type Choice =
  | { readonly titled: false; readonly options: readonly string[] }
  | { readonly titled: true; readonly options: readonly Option[] }

/**
 * Reads a choice among strings in all spellings of validators: an `enum`, a `const`, or a union of
 * constants. Returns `null` for any other schema.
 */
function readChoice(schema: JsonObject): Choice | null {
  const { enum: values, const: value, oneOf, anyOf } = schema
  if (isTextList(values)) return { titled: false, options: values }
  if (typeof value === 'string') return { titled: false, options: [value] }
  const union = oneOf ?? anyOf
  if (!Array.isArray(union) || union.length === 0) return null
  const options = union.map(readOption)
  if (!options.every((option) => option !== null)) return null
  if (options.every(({ title }) => title === undefined)) {
    return { titled: false, options: options.map(({ value }) => value) }
  }
  return {
    titled: true,
    options: options.map(({ value, title = value }) => ({ const: value, title })),
  }
}

function readOption(member: unknown): { value: string; title?: string } | null {
  if (!isJsonObject(member) || typeof member['const'] !== 'string') return null
  const { const: value, title } = member
  return typeof title === 'string' ? { value, title } : { value }
}

const checkLater = 'Describe the rule in its description, and check it with a refinement.'

/** Why a form does not have a keyword, and what to write instead. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['anyOf', 'it is a union, and a form has only choices among strings. Use an enum.'],
  ['oneOf', 'it is a union, and a form has only choices among strings. Use an enum.'],
  ['enum', 'a form has only choices among strings. Use an enum of strings.'],
  ['const', 'a form has no constants. Use another type, and check the answer in code.'],
  ['$ref', 'it refers to a shared definition. Write the schema of the field in place.'],
  ['items', 'a form accepts several values only from a fixed choice. Use an array of an enum.'],
  ['exclusiveMinimum', 'a form has inclusive bounds only. Use a minimum.'],
  ['exclusiveMaximum', 'a form has inclusive bounds only. Use a maximum.'],
  [
    'default',
    'its default is not a value that the user could send. Correct or remove the default.',
  ],
])

function toFieldError(name: string, schema: JsonObject, keyword: string): TypeError {
  return new TypeError(`A form cannot have the field "${name}": ${explain(schema, keyword)}`)
}

function explain(schema: JsonObject, keyword: string): string {
  switch (keyword) {
    case 'type':
      return explainType(schema)
    case 'format':
      return `its format ${JSON.stringify(schema['format'])} is not email, uri, date or date-time. ${checkLater}`
    default:
      return reasons.get(keyword) ?? `a form has no "${keyword}". ${checkLater}`
  }
}

function explainType(schema: JsonObject): string {
  const { type } = schema
  if (type === 'object') {
    return 'it is an object, and forms are flat. Make its members fields of the form.'
  }
  if (Array.isArray(type) && type.includes('null')) {
    return 'it may be null, which a form cannot send. Make it optional.'
  }
  const union = ['anyOf', 'oneOf', 'allOf', '$ref'].find((keyword) => schema[keyword] !== undefined)
  if (union !== undefined) return explain(schema, union)
  return 'its type is not string, number, integer, boolean, an enum or an array of an enum.'
}
