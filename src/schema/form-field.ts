import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { toFormBounds } from './form-bounds.ts'
import { isStrings, readChoice } from './form-choice.ts'
import { toRefusal } from './form-refusal.ts'

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
const silent = new Set(['$comment', 'examples', 'deprecated', 'readOnly', 'writeOnly'])
const formats: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time'])

/**
 * Prints the schema of one field as a form can carry it.
 *
 * @throws {TypeError} when it cannot; see {@link toFormSchema}.
 */
export function toFormField(name: string, schema: unknown): JsonObject {
  if (!isJsonObject(schema)) throw toRefusal(name, {}, 'type')
  const { kind, field } = toSpelling(name, schema)
  const { keywords, isValue }: Kind = kinds[kind]
  const carried = new Set([...everywhere, ...keywords])
  const told = Object.entries(field).filter(([keyword]) => !silent.has(keyword))
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
