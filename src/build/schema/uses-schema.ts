import type { CreatorOf } from '../../define/handle-kind.ts'
import type { Uses } from '../../define/handles.ts'
import { handleArgumentsOf } from '../../mcp/uses.ts'
import { toIdSentence } from '../../objects/handle-sentences.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { childrenOf } from '../../schema/json-schema/keywords.ts'
import { detachRoot } from './object-root.ts'
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
  const ids = added.map(({ name, kind }) => [
    name,
    { type: 'string', description: toIdSentence(kind, creatorOf(kind)) },
  ])
  const names = added.map(({ name }) => name)
  checkNames(detached, names)
  const needed = added.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  const ownRequired = Array.isArray(schema['required']) ? schema['required'] : []
  const required: unknown[] = [...needed, ...ownRequired]
  return {
    ...admitNames(detached, { names, needed: needed.length }),
    properties: { ...Object.fromEntries(ids), ...own },
    ...(required.length === 0 ? {} : { required }),
  }
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

/** @throws {TypeError} when the schema, or one for the same object, has a property of these names. */
function checkNames(schema: JsonObject, names: readonly string[]): void {
  const clash = names.find((name) => Object.hasOwn(Object(schema['properties']), name))
  if (clash !== undefined) {
    throw new TypeError(
      `\`input\` has "${clash}", and \`uses\` adds an argument of the same name. ` +
        'Remove it from `input`.',
    )
  }
  for (const { keyword, schema: child } of childrenOf(schema)) {
    if (inPlaceApplicators.has(keyword) && isJsonObject(child)) checkNames(child, names)
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
