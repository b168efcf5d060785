import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { schemaKeywords } from './keywords.ts'

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
