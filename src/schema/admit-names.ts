import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { appliers } from './keywords.ts'
import { mapChildren } from './map-children.ts'

/** Names that a schema is to let pass, and how many of them are always there. */
export interface Admitted {
  readonly names: readonly string[]
  readonly needed: number
}

/**
 * Lets further names pass wherever an object schema counts names, closes the list of them or says how
 * they look, also in what `allOf` and the like apply to the same object.
 *
 * @throws {TypeError} where `patternProperties` would take one of the names for its own.
 */
export function admitNames(schema: JsonObject, admitted: Admitted): JsonObject {
  const { names, needed } = admitted
  const { properties, patternProperties, propertyNames, maxProperties, minProperties } = schema
  checkPatterns(patternProperties, names)
  const isClosed = 'additionalProperties' in schema || 'unevaluatedProperties' in schema
  const free = Object.fromEntries(names.map((name) => [name, true]))
  return {
    ...mapChildren(schema, (child, keyword) =>
      appliers.has(keyword) ? admitNames(child, admitted) : child,
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
      `"patternProperties" of the input take "${name}", which \`uses\` adds, for one of theirs: ` +
        `${pattern} fits it. Narrow the pattern, or rename the handle.`,
    )
  }
}
