import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { readDialect } from '../../schema/json-schema/keywords.ts'
import { headerAnnotation } from './param-headers.ts'
import { mapChildren } from './walk-schema.ts'

/**
 * Prints `"type": "object"` and `properties` at the root of an input schema: the protocol requires the
 * first (server/tools, "Tool"), and APIs of models refuse a tool without the second. Arguments are an
 * object anyway, so a union keeps its meaning as long as one of its schemas is for objects. Any other
 * schema is returned unchanged.
 */
export function toInputRoot(schema: JsonObject): JsonObject {
  if (!isForObjects(schema, schema, 'some')) return schema
  // a schema that refers to its root may mean more than objects there, as z.json() does
  const isWhole = schema['type'] === 'object' || isForObjects(schema, schema, 'every')
  return withObjectType(isWhole ? schema : detachRoot(schema), {})
}

/** Prints `"type": "object"` at the root of an output schema that is for objects alone. */
export function toOutputRoot(schema: JsonObject): JsonObject {
  const isPlain = schema['type'] === 'object' || !isForObjects(schema, schema, 'every')
  return isPlain ? schema : withObjectType(schema)
}

function withObjectType(schema: JsonObject, none?: JsonObject): JsonObject {
  const { $schema, type: _, properties = none, ...rest } = schema
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    ...(properties !== undefined && { properties }),
    ...rest,
  }
}

/** Longer chains of references and unions are not followed. */
const maxSteps = 16

/** Whether every schema that a schema is a union of, or only some of them, are for objects. */
function isForObjects(schema: unknown, root: JsonObject, how: 'every' | 'some', step = 0): boolean {
  if (!isJsonObject(schema) || step > maxSteps) return false
  const { type, $ref, allOf, anyOf, oneOf } = schema
  if (type === 'object') return true
  const isFor = (part: unknown): boolean => isForObjects(part, root, how, step + 1)
  if (Array.isArray(type)) {
    return how === 'some' ? type.includes('object') : type.every((one) => one === 'object')
  }
  if (type !== undefined) return false
  // in draft-07 nothing beside a $ref counts
  if (typeof $ref === 'string' && readDialect(root['$schema']) !== '7') {
    return isFor(findDefinition(root, $ref))
  }
  const unions = [anyOf, oneOf].filter(Array.isArray)
  if (unions.some((parts) => !parts[how](isFor))) return false
  return unions.some((parts) => parts.length > 0) || (Array.isArray(allOf) && allOf.some(isFor))
}

function findDefinition(root: JsonObject, $ref: string): unknown {
  const [, keyword, name] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec($ref) ?? []
  const definitions = root[keyword ?? '']
  return isJsonObject(definitions) && name !== undefined ? definitions[name] : undefined
}

/**
 * Prepares a schema that refers to itself with `#` for additions to its root: the whole schema is
 * copied to its definitions, and the references are changed to the copy. Any other schema is returned
 * unchanged.
 */
export function detachRoot(schema: JsonObject): JsonObject {
  const isRoot = createRootTest(schema)
  if (!hasReference(schema, isRoot)) return schema
  const keyword = readDialect(schema['$schema']) === '7' ? 'definitions' : '$defs'
  const definitions = isJsonObject(schema[keyword]) ? schema[keyword] : {}
  const name = findFreeName(definitions)
  const repointed = repoint(schema, isRoot, `#/${keyword}/${name}`)
  const copy = withoutHeaders(omit(repointed, '$schema', '$id', '$anchor', keyword))
  return { ...repointed, [keyword]: { ...Object(repointed[keyword]), [name]: copy } }
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

/** Inside a subschema with an `$id`, `#` refers to that subschema. */
function isOfThisRoot({ $id }: JsonObject): boolean {
  return typeof $id !== 'string' || $id.startsWith('#')
}

/** A header belongs to one parameter, which only `properties` lead to. */
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
