import { type JsonObject, isJsonObject } from '../../protocol/json.ts'

/** A schema inside a schema; `true` allows everything, `false` nothing. */
export type Subschema = JsonObject | boolean

/**
 * The keywords of 2020-12 and draft-07 that hold schemas: one, a list, or a map of them. All others
 * hold data, even if it looks like a schema, as in a `const`.
 */
export const schemaKeywords: ReadonlyMap<string, 'one' | 'list' | 'map'> = new Map([
  ['$defs', 'map'],
  ['definitions', 'map'],
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['additionalProperties', 'one'],
  ['unevaluatedProperties', 'one'],
  ['propertyNames', 'one'],
  ['prefixItems', 'list'],
  ['items', 'one'],
  ['additionalItems', 'one'],
  ['unevaluatedItems', 'one'],
  ['contains', 'one'],
  ['contentSchema', 'one'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['not', 'one'],
  ['if', 'one'],
  ['then', 'one'],
  ['else', 'one'],
  ['dependentSchemas', 'map'],
  ['dependencies', 'map'],
] as const)

/** A subschema with the keyword that holds it, and its key in the list or map of that keyword. */
export interface Child {
  readonly keyword: string
  readonly key: string | number | null
  readonly schema: Subschema
}

export function isSubschema(value: unknown): value is Subschema {
  return typeof value === 'boolean' || isJsonObject(value)
}

/** Returns the schemas that a schema holds, without malformed ones. */
export function childrenOf(schema: JsonObject): readonly Child[] {
  return Object.keys(schema).flatMap((keyword) => {
    const kind = schemaKeywords.get(keyword)
    return kind === undefined ? [] : readChildren(keyword, kind, schema[keyword])
  })
}

function readChildren(keyword: string, kind: string, value: unknown): readonly Child[] {
  // draft-07's `items` may be a list
  if (Array.isArray(value)) {
    const listed = value.map((schema: unknown, key) => ({ keyword, key, schema }))
    return kind === 'list' || keyword === 'items' ? listed.filter(isChild) : []
  }
  if (kind !== 'map') return [{ keyword, key: null, schema: value }].filter(isChild)
  if (!isJsonObject(value)) return []
  return Object.entries(value)
    .map(([key, schema]) => ({ keyword, key, schema }))
    .filter(isChild)
}

function isChild<C extends { readonly schema: unknown }>(child: C): child is C & Child {
  return isSubschema(child.schema)
}

/** A dialect that Helve supports. */
export type Dialect = '2020-12' | '7'

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/draft-07/schema', '7'],
])

/**
 * Reads a `$schema`, 2020-12 by default. Returns `null` for a dialect that is not supported
 * (basic/index, "Schema Dialect").
 */
export function readDialect($schema: unknown): Dialect | null {
  if ($schema === undefined) return '2020-12'
  if (typeof $schema !== 'string') return null
  return dialects.get($schema.replace(/^https?:\/\//, '').replace(/#$/, '')) ?? null
}
