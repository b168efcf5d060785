import { readIssues } from './issues.ts'
import { createJsonSchemaCheck } from './json-schema/check.ts'
import { toSentences } from './sentences.ts'
import { type Schema, type StandardResult, isStandardSchema } from './standard-schema.ts'

/** The parsed value, or each problem as one readable sentence. */
export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Checks one value against a schema. Synchronous wherever the schema is. */
export type Check = (value: unknown) => Checked | Promise<Checked>

/** Creates the check of a Standard Schema, or of a plain JSON Schema. */
export function createCheck(schema: Schema): Check {
  if (!isStandardSchema(schema)) return createJsonSchemaCheck(schema)
  const { validate } = schema['~standard']
  return (value) => {
    const result = validate(value)
    // any thenable counts as a promise: read as a result, it would have no issues
    return 'then' in result
      ? Promise.resolve(result).then((result) => toChecked(result, value))
      : toChecked(result, value)
  }
}

/**
 * Creates the check of a returned value. A plain JSON Schema checks the value as it will be
 * serialized: a Date is an object in code and a string in JSON.
 */
export function createOutputCheck(schema: Schema): Check {
  const check = createCheck(schema)
  if (isStandardSchema(schema)) return check
  return (value) => {
    const json: string | undefined = JSON.stringify(value)
    const checked = check(json === undefined ? undefined : JSON.parse(json))
    // the original value goes on: the serializer reports what JSON cannot carry
    return checked instanceof Promise
      ? checked.then((checked) => withValue(checked, value))
      : withValue(checked, value)
  }
}

function withValue(checked: Checked, value: unknown): Checked {
  return checked.ok ? { ok: true, value } : checked
}

function toChecked(result: StandardResult<unknown>, value: unknown): Checked {
  if (result.issues === undefined) return { ok: true, value: result.value }
  return { ok: false, problems: toSentences(readIssues(result.issues), value) }
}
