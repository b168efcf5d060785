import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { readDialect } from './dialect.ts'
import { mapChildren } from './map-children.ts'
import { headerAnnotation } from './param-headers.ts'

/**
 * Keeps a schema that refers to itself as a whole, with `#`, what it was when something is added to
 * its root: the whole moves into its definitions as well, and what referred to it refers there. A
 * schema that does not is returned as it is.
 */
export function detachRoot(schema: JsonObject): JsonObject {
  const isRoot = createRootTest(schema)
  if (!hasReference(schema, isRoot)) return schema
  const keyword = readDialect(schema['$schema']) === '7' ? 'definitions' : '$defs'
  const definitions = isJsonObject(schema[keyword]) ? schema[keyword] : {}
  const name = findFreeName(definitions)
  const pointed = repoint(schema, isRoot, `#/${keyword}/${name}`)
  const whole = omit(pointed, '$schema', '$id', '$anchor', keyword)
  return { ...pointed, [keyword]: { ...Object(pointed[keyword]), [name]: withoutHeaders(whole) } }
}

type IsRoot = (reference: unknown) => boolean

function createRootTest({ $id, $anchor }: JsonObject): IsRoot {
  const names = new Set(['#', ''])
  if (typeof $id === 'string') names.add($id).add(`${$id}#`)
  if (typeof $anchor === 'string') names.add(`#${$anchor}`)
  return (reference) => typeof reference === 'string' && names.has(reference)
}

function hasReference(schema: JsonObject, isRoot: IsRoot): boolean {
  let found = isRoot(schema['$ref'])
  mapChildren(schema, (child) => {
    found ||= isOfThisRoot(child) && hasReference(child, isRoot)
    return child
  })
  return found
}

function repoint(schema: JsonObject, isRoot: IsRoot, $ref: string): JsonObject {
  const copy = mapChildren(schema, (child) =>
    isOfThisRoot(child) ? repoint(child, isRoot, $ref) : child,
  )
  return isRoot(schema['$ref']) ? { ...copy, $ref } : copy
}

/** A subschema with an `$id` is a root of its own, to which `#` inside it refers. */
function isOfThisRoot({ $id }: JsonObject): boolean {
  return typeof $id !== 'string' || $id.startsWith('#')
}

/** A header stands for one parameter, at the place that `properties` alone lead to. */
function withoutHeaders(schema: JsonObject): JsonObject {
  return omit(mapChildren(schema, withoutHeaders), headerAnnotation)
}

function omit(schema: JsonObject, ...keywords: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)),
  )
}

function findFreeName(taken: JsonObject): string {
  let name = 'input'
  for (let count = 2; Object.hasOwn(taken, name); count++) name = `input${count}`
  return name
}
