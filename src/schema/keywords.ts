import { isJsonObject, type JsonObject } from '../wire/json.ts'

/** A schema inside a schema; `true` allows everything, `false` nothing. */
export type Subschema = JsonObject | boolean

/**
 * The keywords of 2020-12 and draft-07 that hold schemas: one, a list, or a map of them. Everything
 * else is data, such as a `const` that happens to look like a schema.
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

/** The keywords whose schemas apply to the very value that the schema itself applies to. */
export const appliers: ReadonlySet<string> = new Set(
  'allOf anyOf oneOf not if then else dependentSchemas dependencies'.split(' '),
)

/** A subschema with the keyword that holds it, and its place in that keyword's list or map. */
export interface Child {
  readonly keyword: string
  readonly key: string | number | null
  readonly schema: Subschema
}

/** Tells what may stand where a schema is wanted. */
export function isSubschema(value: unknown): value is Subschema {
  return typeof value === 'boolean' || isJsonObject(value)
}

/** The schemas that a schema holds, malformed ones left out. */
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
