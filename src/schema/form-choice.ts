import { isJsonObject, type JsonObject } from '../wire/json.ts'

/** One thing to choose, with the name that the user sees. */
interface Option {
  readonly const: string
  readonly title: string
}

/** The options of a choice: by themselves, or with names for people. */
export type Choice =
  | { readonly titled: false; readonly options: readonly string[] }
  | { readonly titled: true; readonly options: readonly Option[] }

/**
 * Reads what a schema offers to choose from, in any of the ways in which validators spell it: an
 * `enum`, a `const`, or a union of constants. `null` for anything but a choice among strings.
 */
export function readChoice(schema: JsonObject): Choice | null {
  const { enum: values, const: value, oneOf, anyOf } = schema
  if (isStrings(values)) return { titled: false, options: values }
  if (typeof value === 'string') return { titled: false, options: [value] }
  const union = oneOf ?? anyOf
  if (!Array.isArray(union) || union.length === 0) return null
  const options = union.map(readOption)
  if (!options.every((option) => option !== null)) return null
  // validators name no constant unless told to: then the shorter spelling says as much
  if (options.every(({ title }) => title === undefined)) {
    return { titled: false, options: options.map(({ value }) => value) }
  }
  return {
    titled: true,
    options: options.map(({ value, title = value }) => ({ const: value, title })),
  }
}

export function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string')
}

function readOption(member: unknown): { value: string; title?: string } | null {
  if (!isJsonObject(member) || typeof member['const'] !== 'string') return null
  const { const: value, title } = member
  return typeof title === 'string' ? { value, title } : { value }
}
