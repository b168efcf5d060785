import { isJsonObject } from '../protocol/json.ts'
import { createJsonSchemaCheck } from './json-schema/check.ts'
import type { Path, Problem } from './problem.ts'
import { toSentences } from './sentences.ts'
import { type Schema, type StandardResult, isStandardSchema } from './standard-schema.ts'
import { readZodIssue } from './zod-issue.ts'

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
    // a promise of any make: to read one as a result would let everything pass
    return 'then' in result
      ? Promise.resolve(result).then((result) => toChecked(result, value))
      : toChecked(result, value)
  }
}

/**
 * Makes the check of what goes out. Plain JSON Schema is held against the value as it will be read,
 * as a Date is an object here and text there.
 */
export function createOutputCheck(schema: Schema): Check {
  const check = createCheck(schema)
  if (isStandardSchema(schema)) return check
  return (value) => {
    const json: string | undefined = JSON.stringify(value)
    const checked = check(json === undefined ? undefined : JSON.parse(json))
    // the value itself goes on: whether JSON can carry it is for the printer to say
    return checked instanceof Promise ? checked.then((c) => toOwn(c, value)) : toOwn(checked, value)
  }
}

function toOwn(checked: Checked, value: unknown): Checked {
  return checked.ok ? { ok: true, value } : checked
}

function toChecked(result: StandardResult<unknown>, value: unknown): Checked {
  if (result.issues === undefined) return { ok: true, value: result.value }
  return { ok: false, problems: toSentences(readIssues(result.issues), value) }
}

/**
 * Reads the issues of a Standard Schema. A message that the author, a locale or another validator
 * wrote is kept; zod's stock messages give way to what {@link readZodIssue} makes of the details.
 */
export function* readIssues(issues: readonly unknown[], base: Path = []): Generator<Problem> {
  for (const issue of issues) {
    if (!isJsonObject(issue)) continue
    const path = [...base, ...readPath(issue['path'])]
    const message = typeof issue['message'] === 'string' ? issue['message'] : ''
    const known = readZodIssue(issue, message, path, readIssues)
    if (known === null) yield { kind: 'said', path, message: message || 'is not valid' }
    else yield* known
  }
}

function readPath(path: unknown): Path {
  if (!Array.isArray(path)) return []
  return path.map((step: unknown) => {
    const key = isJsonObject(step) ? step['key'] : step
    return typeof key === 'number' ? key : String(key)
  })
}
