import type { JsonObject } from '../protocol/json.ts'
import {
  type Direction,
  type PrintJsonSchema,
  type Schema,
  type StandardSchema,
  isStandardSchema,
} from './standard-schema.ts'

/** Prints a schema that carries no printer, as those of zod/mini; `null` where it cannot. */
export type PrintOther = (schema: StandardSchema, direction: Direction) => PrintJsonSchema | null

const target = 'draft-2020-12'
const defaultDialect = 'https://json-schema.org/draft/2020-12/schema'

/**
 * Prints a schema as JSON Schema: what a sender may write, or what a checked value is. A plain JSON
 * Schema is returned as its author wrote it. A validator's print loses the `$schema` that names the
 * default dialect (basic/index, "Schema Dialect"): a model would pay for it on every turn.
 *
 * @throws {TypeError} when nothing can print the schema; the message says what to do.
 */
export function toJsonSchema(
  schema: Schema,
  direction: Direction,
  printOther?: PrintOther,
): JsonObject {
  if (!isStandardSchema(schema)) return schema
  const { vendor, jsonSchema } = schema['~standard']
  const convert = jsonSchema?.[direction] ?? printOther?.(schema, direction)
  if (typeof convert !== 'function') {
    throw new TypeError(
      `This schema of "${vendor}" cannot print itself as JSON Schema. With zod, use 4.2 or later; ` +
        'wrap a schema of zod/mini in z.toJSONSchema(); or write a plain JSON Schema object.',
    )
  }
  const { $schema, ...printed } = print(convert)
  return $schema === undefined || $schema === defaultDialect ? printed : { $schema, ...printed }
}

function print(convert: PrintJsonSchema): JsonObject {
  try {
    return convert({ target })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(
      `This schema cannot be printed as JSON Schema: ${why}. ` +
        'Use types that JSON can carry, such as a string with a format instead of a date.',
      { cause },
    )
  }
}
