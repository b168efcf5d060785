import { type JsonObject, isJsonObject } from '../../protocol/json.ts'

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
interface Child {
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

/** Copies a schema with each of the schemas that it holds replaced; `true` and `false` stay. */
export function mapChildren(
  schema: JsonObject,
  map: (child: JsonObject, keyword: string) => JsonObject,
): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapKeyword(keyword, value, map)]),
  )
}

function mapKeyword(
  keyword: string,
  value: unknown,
  map: (child: JsonObject, keyword: string) => JsonObject,
): unknown {
  const kind = schemaKeywords.get(keyword)
  if (kind === undefined) return value
  const mapOne = (child: unknown): unknown => (isJsonObject(child) ? map(child, keyword) : child)
  if (Array.isArray(value)) return value.map(mapOne)
  if (kind !== 'map' || !isJsonObject(value)) return mapOne(value)
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, mapOne(child)]))
}

/** A dialect of JSON Schema that Helve checks by, in the words of `@cfworker/json-schema`. */
export type Dialect = '2020-12' | '7'

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/draft-07/schema', '7'],
])

/**
 * Reads a `$schema`: 2020-12 where there is none, `null` for a dialect that is not supported
 * (basic/index, "Schema Dialect").
 */
export function readDialect($schema: unknown): Dialect | null {
  if ($schema === undefined) return '2020-12'
  if (typeof $schema !== 'string') return null
  return dialects.get($schema.replace(/^https?:\/\//, '').replace(/#$/, '')) ?? null
}

/** How deep a schema may nest, and how many subschemas it may have (basic/index, "Resource Use"). */
export const schemaBounds = { depth: 64, subschemas: 2_000 } as const

/** One subschema on the way through a schema. */
export interface Visit {
  readonly schema: JsonObject
  /** A JSON pointer for people, such as `#/properties/items`. */
  readonly pointer: string
  readonly depth: number
  /** The chain of property names that leads here, or `null` where any other keyword is on the way. */
  readonly properties: readonly string[] | null
}

/**
 * Walks a schema and its subschemas, parents first. The walk itself ends just beyond the bounds, so
 * that a schema which holds itself, as an object in code can, does not keep it going forever.
 */
export function* walkSchema(root: JsonObject): Generator<Visit> {
  const open: Visit[] = [{ schema: root, pointer: '#', depth: 0, properties: [] }]
  for (let seen = 0; seen <= schemaBounds.subschemas; seen++) {
    const visit = open.pop()
    if (visit === undefined) return
    yield visit
    if (visit.depth > schemaBounds.depth) continue
    const children = childrenOf(visit.schema).flatMap((child) => toVisit(visit, child))
    open.push(...children.slice(0, schemaBounds.subschemas + 1).toReversed())
  }
}

function toVisit(parent: Visit, { keyword, key, schema }: Child): readonly Visit[] {
  if (!isJsonObject(schema)) return []
  const step = key === null ? '' : `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
  const chained = keyword === 'properties' && parent.properties !== null
  const properties = chained ? [...(parent.properties ?? []), String(key)] : null
  const pointer = `${parent.pointer}/${keyword}${step}`
  return [{ schema, pointer, depth: parent.depth + 1, properties }]
}
