import { type JsonObject, isJsonObject } from '../json.ts'

/** Writes the schemas of properties as objects: `true` as `{}`, and `false` as `{ not: {} }`. */
export function toObjectProperties(schema: JsonObject): JsonObject {
  const { properties } = schema
  if (!isJsonObject(properties)) return schema
  const entries = Object.entries(properties).map(([name, property]) => [name, toObject(property)])
  return { ...schema, properties: Object.fromEntries(entries) }
}

function toObject(schema: unknown): unknown {
  if (typeof schema !== 'boolean') return schema
  return schema ? {} : { not: {} }
}

/**
 * Converts an output schema to one that is for objects, as all were before 2026-07-28. A value that
 * is not an object is sent as `{ result: value }`, and an object is sent as it is.
 */
export function toObjectOutput(schema: JsonObject): JsonObject {
  if (schema['type'] === 'object') return toObjectProperties(schema)
  const { $schema, ...value } = schema
  const dialect = $schema === undefined ? {} : { $schema }
  if (!mayBeObject(schema)) {
    const properties = { result: moveReferences(value, '#/properties/result') }
    return { ...dialect, type: 'object', properties, required: ['result'] }
  }
  // some values are objects, and others are not
  const $ref = '#/definitions/value'
  const wrapped = { properties: { result: { $ref } }, required: ['result'] }
  const definitions = { value: moveReferences(value, $ref) }
  return { ...dialect, type: 'object', anyOf: [{ $ref }, wrapped], definitions }
}

function mayBeObject({ type, enum: values, const: value }: JsonObject): boolean {
  if (typeof type === 'string') return false
  if (Array.isArray(type)) return type.includes('object')
  if (Array.isArray(values)) return values.some(isJsonObject)
  return value === undefined || isJsonObject(value)
}

/** Keywords that have a value, and not a schema. */
const valueKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])

/** Keywords that have a schema for each name. */
const namedKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

/** Changes the references of a schema to its own parts, which are at another place now. */
function moveReferences(schema: JsonObject, root: string): JsonObject {
  const { $id } = schema
  // inside a schema with an `$id`, references are relative to that schema
  if (typeof $id === 'string' && !$id.startsWith('#')) return schema
  const move = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(move)
    return isJsonObject(value) ? moveReferences(value, root) : value
  }
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (valueKeywords.has(keyword)) return [keyword, value]
    if (keyword === '$ref' || keyword === '$dynamicRef')
      return [keyword, moveReference(value, root)]
    if (!namedKeywords.has(keyword) || !isJsonObject(value)) return [keyword, move(value)]
    const named = Object.entries(value).map(([name, child]) => [name, move(child)])
    return [keyword, Object.fromEntries(named)]
  })
  return Object.fromEntries(entries)
}

function moveReference(reference: unknown, root: string): unknown {
  if (typeof reference !== 'string' || !/^(?:#?$|#\/)/.test(reference)) return reference
  return `${root}${reference.slice(1)}`
}
