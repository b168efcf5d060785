import type { JsonObject } from '../wire/json.ts'

/**
 * Says the bounds of a number as `minimum` and `maximum`, the only ones that a form has. Between two
 * integers there is nothing, so their exclusive bounds move by one; and the safe range that zod
 * prints for every integer goes without saying. Of other numbers exclusive bounds stay as they are.
 */
export function toFormBounds(schema: JsonObject): JsonObject {
  if (schema['type'] !== 'integer') return schema
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = schema
  const above = typeof exclusiveMinimum === 'number' ? Math.floor(exclusiveMinimum) + 1 : null
  const below = typeof exclusiveMaximum === 'number' ? Math.ceil(exclusiveMaximum) - 1 : null
  const low = Math.max(...[minimum, above].filter(isNumber))
  const high = Math.min(...[maximum, below].filter(isNumber))
  return {
    ...rest,
    ...(low > Number.MIN_SAFE_INTEGER ? { minimum: low } : {}),
    ...(high < Number.MAX_SAFE_INTEGER ? { maximum: high } : {}),
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
