import { isStandardSchema } from './is-standard-schema.ts'
import { createJsonSchemaCheck } from './json-schema-check.ts'
import { toSentences } from './sentences.ts'
import { readIssues } from './issues.ts'
import type { Schema, StandardResult } from './standard.ts'

/** What a check says of a value: the parsed value, or each problem as one readable sentence. */
export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Checks one value against a schema. Synchronous wherever the schema is. */
export type Check = (value: unknown) => Checked | Promise<Checked>

/** Makes the check of a schema: its own where it has one, else by what JSON Schema says. */
export function createCheck(schema: Schema): Check {
  if (!isStandardSchema(schema)) return createJsonSchemaCheck(schema)
  const { validate } = schema['~standard']
  return (value) => {
    const result = validate(value)
    return result instanceof Promise
      ? result.then((result) => toChecked(result, value))
      : toChecked(result, value)
  }
}

function toChecked(result: StandardResult<unknown>, value: unknown): Checked {
  if (result.issues === undefined) return { ok: true, value: result.value }
  return { ok: false, problems: toSentences(readIssues(result.issues), value) }
}
