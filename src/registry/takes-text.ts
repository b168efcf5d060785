import { isStandardSchema } from '../schema/is-standard-schema.ts'
import { readIssues } from '../schema/issues.ts'
import type { Problem } from '../schema/problem.ts'
import type { Schema, StandardSchema } from '../schema/standard.ts'
import { isJsonObject } from '../wire/json.ts'

/** Texts of which a schema may make a number, a boolean, a date, an array or an object. */
const samples: readonly string[] = ['1', '0', 'true', '2026-01-31', '[]', '{}']

/**
 * Tells whether text can fill in an argument. What is printed says so of plain JSON Schema. A
 * validator's print says nothing of coercion, `z.coerce.number()` and `z.number()` being printed
 * alike, so its schema is tried with some texts.
 */
export function takesText(input: Schema, name: string, printed: unknown): boolean {
  if (mayBeText(printed)) return true
  if (!isStandardSchema(input)) return false
  const named = valuesOf(printed)
  return [...samples, ...named].some((text) => takes(input, name, text, named.length > 0))
}

function mayBeText(printed: unknown): boolean {
  if (!isJsonObject(printed)) return printed !== false
  const { type, enum: values, anyOf, oneOf } = printed
  if (type !== undefined) return [type].flat().includes('string')
  if ('const' in printed) return typeof printed['const'] === 'string'
  if (Array.isArray(values)) return values.some((value) => typeof value === 'string')
  const options: unknown = anyOf ?? oneOf
  return !Array.isArray(options) || options.some(mayBeText)
}

/** The only values that a schema allows, as text. */
function valuesOf(printed: unknown): readonly string[] {
  if (!isJsonObject(printed)) return []
  const { const: only, enum: values = [] } = printed
  return [only, values]
    .flat()
    .filter((value) => value !== undefined)
    .map(String)
}

function takes(input: StandardSchema, name: string, text: string, isNamed: boolean): boolean {
  try {
    const result = input['~standard'].validate({ [name]: text })
    if ('then' in result) {
      // who takes time may take anything; and zod looks again, later, at what threw
      Promise.resolve(result).catch(() => {})
      return true
    }
    const problems = Array.from(readIssues(result.issues ?? []))
    return !problems.some((problem) => problem.path[0] === name && isRefusal(problem, isNamed))
  } catch {
    // such as JSON.parse, where it comes first
    return false
  }
}

/**
 * Tells a value of another type from one that was made of the text and is only too small, say; one
 * that is not among the allowed values may be either, unless these were tried.
 */
function isRefusal(problem: Problem, isNamed: boolean): boolean {
  if (problem.kind !== 'mismatch') return problem.kind !== 'size'
  return problem.by === 'type' || (problem.by === 'literal' && isNamed)
}
