import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { type Child, childrenOf, schemaKeywords } from '../../schema/json-schema/keywords.ts'

/** How deep a schema may nest, and how many subschemas it may have (basic/index, "Resource Use"). */
export const schemaBounds = { depth: 64, subschemas: 2_000 } as const

/** The keywords whose schemas apply to the same value as the schema that holds them. */
export const inPlaceApplicators: ReadonlySet<string> = new Set(
  'allOf anyOf oneOf not if then else dependentSchemas dependencies'.split(' '),
)

/** A subschema and its place in the whole schema. */
export interface Visit {
  readonly schema: JsonObject
  /** A readable JSON pointer, such as `#/properties/items`. */
  readonly pointer: string
  readonly depth: number
  /** The property names that lead here; `null` if any keyword but `properties` is on the way. */
  readonly properties: readonly string[] | null
}

/**
 * Walks a schema and its subschemas, parents first. The walk ends just beyond the bounds, because an
 * object in code can contain itself.
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
  const isChained = keyword === 'properties' && parent.properties !== null
  const properties = isChained ? [...(parent.properties ?? []), String(key)] : null
  const pointer = `${parent.pointer}/${keyword}${step}`
  return [{ schema, pointer, depth: parent.depth + 1, properties }]
}

type MapChild = (child: JsonObject, keyword: string) => JsonObject

/** Copies a schema and replaces each schema that it holds; `true` and `false` stay. */
export function mapChildren(schema: JsonObject, map: MapChild): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapKeyword(keyword, value, map)]),
  )
}

function mapKeyword(keyword: string, value: unknown, map: MapChild): unknown {
  const kind = schemaKeywords.get(keyword)
  if (kind === undefined) return value
  const mapOne = (child: unknown): unknown => (isJsonObject(child) ? map(child, keyword) : child)
  if (Array.isArray(value)) return value.map(mapOne)
  if (kind !== 'map' || !isJsonObject(value)) return mapOne(value)
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, mapOne(child)]))
}
