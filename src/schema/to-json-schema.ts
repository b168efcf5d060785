import type { JsonObject } from '../protocol/json.ts'
import {
  type Direction,
  type PrintJsonSchema,
  type Schema,
  type StandardSchema,
  isStandardSchema,
} from './standard-schema.ts'

/** Returns the printer of a schema that has none itself, as in zod/mini; `null` if there is none. */
export type PrintOther = (schema: StandardSchema, direction: Direction) => PrintJsonSchema | null

const target = 'draft-2020-12'
const defaultDialect = 'https://json-schema.org/draft/2020-12/schema'

/**
 * Converts a schema to JSON Schema. A plain JSON Schema is returned unchanged. Of a validator's output
 * the `$schema` of the default dialect is removed (basic/index, "Schema Dialect"): a model would pay
 * for it on every turn.
 *
 * @throws {TypeError} when the schema cannot be converted; the message says what to do.
 */
export function toJsonSchema(
  schema: Schema,
  direction: Direction,
  printOther?: PrintOther,
): JsonObject {
  if (!isStandardSchema(schema)) return schema
  const { vendor, jsonSchema } = schema['~standard']
  const print = jsonSchema?.[direction] ?? printOther?.(schema, direction)
  if (typeof print !== 'function') {
    throw new TypeError(
      `This schema of "${vendor}" cannot print itself as JSON Schema. With zod, use 4.2 or later and ` +
        "import from 'zod', not from 'zod/v3'; wrap a schema of zod/mini in z.toJSONSchema(); " +
        'or write a plain JSON Schema object.',
    )
  }
  const { $schema, ...printed } = printOrExplain(print)
  return $schema === undefined || $schema === defaultDialect ? printed : { $schema, ...printed }
}

function printOrExplain(print: PrintJsonSchema): JsonObject {
  try {
    return print({ target })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(
      `This schema cannot be printed as JSON Schema: ${why}. ` +
        'Use types that JSON can represent, such as a string with a format instead of a date.',
      { cause },
    )
  }
}
