import type { CreatorOf } from '../../define/handle-kind.ts'
import type { Uses } from '../../define/handles.ts'
import { handleArgumentsOf } from '../../mcp/uses.ts'
import { toIdSentence } from '../../objects/handle-sentences.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { readDialect } from '../../schema/json-schema/keywords.ts'
import { headerAnnotation } from './param-headers.ts'
import { inPlaceApplicators, mapChildren } from './walk-schema.ts'

/**
 * Adds the handle ids of `uses` to a tool's printed input schema, before its own arguments. Everything
 * else in the schema keeps its meaning for the tool's own arguments.
 *
 * @throws {TypeError} when the schema has an argument of the same name, or a pattern that matches it.
 */
export function toUsesSchema(schema: JsonObject, uses: Uses, creatorOf: CreatorOf): JsonObject {
  const added = handleArgumentsOf(uses)
  if (added.length === 0) return schema
  const detached = detachRoot(schema)
  const own = isJsonObject(detached['properties']) ? detached['properties'] : {}
  const clash = added.find(({ name }) => Object.hasOwn(own, name))
  if (clash !== undefined) {
    throw new TypeError(
      `\`input\` has "${clash.name}", and \`uses\` adds an argument of the same name. ` +
        'Remove it from `input`.',
    )
  }
  const ids = added.map(({ name, kind }) => [
    name,
    { type: 'string', description: toIdSentence(kind, creatorOf(kind)) },
  ])
  const names = added.map(({ name }) => name)
  const needed = added.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  const ownRequired = Array.isArray(schema['required']) ? schema['required'] : []
  const required: unknown[] = [...needed, ...ownRequired]
  return {
    ...admitNames(detached, { names, needed: needed.length }),
    properties: { ...Object.fromEntries(ids), ...own },
    ...(required.length === 0 ? {} : { required }),
  }
}

/**
 * Prepares a schema that refers to itself with `#` for additions to its root: the whole schema is
 * copied to its definitions, and the references are changed to the copy. Any other schema is returned
 * unchanged.
 */
function detachRoot(schema: JsonObject): JsonObject {
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

/** Names that a schema has to allow, and how many of them are always present. */
interface Admitted {
  readonly names: readonly string[]
  readonly needed: number
}

/**
 * Allows further names in every keyword of an object schema that lists, counts or matches names, and
 * in the subschemas that apply to the same object, such as those of `allOf`.
 *
 * @throws {TypeError} when a pattern of `patternProperties` matches one of the names.
 */
function admitNames(schema: JsonObject, admitted: Admitted): JsonObject {
  const { names, needed } = admitted
  const { properties, patternProperties, propertyNames, maxProperties, minProperties } = schema
  checkPatterns(patternProperties, names)
  const isClosed = 'additionalProperties' in schema || 'unevaluatedProperties' in schema
  const free = Object.fromEntries(names.map((name) => [name, true]))
  return {
    ...mapChildren(schema, (child, keyword) =>
      inPlaceApplicators.has(keyword) ? admitNames(child, admitted) : child,
    ),
    ...(isClosed && { properties: { ...free, ...Object(properties) } }),
    ...(propertyNames !== undefined && {
      propertyNames: { anyOf: [{ enum: names }, propertyNames] },
    }),
    ...(typeof maxProperties === 'number' && { maxProperties: maxProperties + names.length }),
    ...(typeof minProperties === 'number' && { minProperties: minProperties + needed }),
  }
}

function checkPatterns(patternProperties: unknown, names: readonly string[]): void {
  if (!isJsonObject(patternProperties)) return
  for (const pattern of Object.keys(patternProperties)) {
    const name = names.find((name) => new RegExp(pattern, 'u').test(name))
    if (name === undefined) continue
    throw new TypeError(
      `The pattern ${pattern} in "patternProperties" of \`input\` matches "${name}", which \`uses\` ` +
        'adds. Narrow the pattern, or rename the handle.',
    )
  }
}
