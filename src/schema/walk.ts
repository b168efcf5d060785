import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { childrenOf, type Child } from './keywords.ts'

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
