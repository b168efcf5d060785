import { readIssues } from './issues.ts'
import { BudgetExceeded } from './json-schema/budget.ts'
import { TextTooLong } from './json-schema/pattern-guard.ts'
import { toSentences } from './sentences.ts'
import {
  type JsonSchema,
  type Schema,
  type StandardResult,
  isStandardSchema,
} from './standard-schema.ts'
import { boundPatterns, validateBounded } from './zod-patterns.ts'

export type Checked =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Checks one value against a schema. Synchronous wherever the schema is. */
export type Check = (value: unknown) => Checked | Promise<Checked>

export function createCheck(schema: Schema): Check {
  if (!isStandardSchema(schema)) return createPlainCheck(schema)
  const { validate } = schema['~standard']
  let isBounded: boolean | undefined
  return (value) => {
    // at the first check: lazy schemas may refer to constants that are not initialized before
    isBounded ??= boundPatterns(schema)
    if (isBounded) return checkBounded(validate, value)
    return toResult(validate(value), value)
  }
}

type Validate = (value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>

function checkBounded(validate: Validate, value: unknown): Checked | Promise<Checked> {
  try {
    const checked = toResult(validateBounded(validate, value), value)
    // zod runs a check that throws once more, asynchronously
    return checked instanceof Promise ? checked.catch(toRefusal) : checked
  } catch (error) {
    return toRefusal(error)
  }
}

function toRefusal(error: unknown): Checked {
  const isOfValue = error instanceof TextTooLong || error instanceof BudgetExceeded
  if (isOfValue) return { ok: false, problems: [error.message] }
  throw error
}

function toResult(result: ReturnType<Validate>, value: unknown): Checked | Promise<Checked> {
  // any thenable counts as a promise: read as a result, it would have no issues
  return 'then' in result
    ? Promise.resolve(result).then((result) => toChecked(result, value))
    : toChecked(result, value)
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
    // the original value goes on: the serializer reports what JSON cannot represent
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

type CreateJsonSchemaCheck = (schema: JsonSchema) => Check

let createJsonSchemaCheck: CreateJsonSchemaCheck | null = null

/**
 * Registers the checker of plain JSON Schema. `helve/json-schema` calls this when it is imported, so
 * that a Worker whose schemas are all Standard Schemas does not carry the checker.
 */
export function registerJsonSchemaCheck(create: CreateJsonSchemaCheck): void {
  createJsonSchemaCheck = create
}

function createPlainCheck(schema: JsonSchema): Check {
  let check: Check | undefined
  return (value) => {
    // at the first check: definitions may be loaded before the checker is registered
    check ??= requireJsonSchemaCheck()(schema)
    return check(value)
  }
}

function requireJsonSchemaCheck(): CreateJsonSchemaCheck {
  if (createJsonSchemaCheck !== null) return createJsonSchemaCheck
  throw new Error(
    'A plain JSON Schema cannot be checked, because its checker is not part of this Worker. ' +
      "Run `helve build`, which adds it to the registry, or write `import 'helve/json-schema'` in " +
      "the Worker's main module.",
  )
}
