import type { Prompt } from '../../define/prompt.ts'
import type { PromptEntry } from '../../define/registry.ts'
import type { Icon } from '../../protocol/content.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { readIssues } from '../../schema/check.ts'
import type { Problem } from '../../schema/problem.ts'
import {
  type Schema,
  type StandardSchema,
  isStandardSchema,
  nothing,
} from '../../schema/standard-schema.ts'
import { type PrintOther, toJsonSchema } from '../../schema/to-json-schema.ts'
import { findStrayCompleters, toArgumentEntry, toGuarded } from './argument-entry.ts'

/** Says all that the registry holds of a prompt, but for `load`, which the build adds. */
export function toPromptEntry(
  name: string,
  prompt: Prompt,
  printOther?: PrintOther,
): Omit<PromptEntry, 'load'> {
  const { input = nothing, complete } = prompt.definition
  const schema = toJsonSchema(input, 'input', printOther)
  const { properties } = schema
  return {
    name,
    listed: JSON.stringify(toPromptListing(name, prompt, schema)),
    ...toGuarded(prompt.definition),
    arguments: Object.entries(isJsonObject(properties) ? properties : {}).map(
      ([argument, property]) => toArgumentEntry(argument, property, complete),
    ),
  }
}

/** One argument of a prompt (server/prompts, "Prompt"). */
interface ArgumentListing {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required: boolean
}

/** An entry of `prompts/list` (server/prompts, "Prompt"). */
interface PromptListing {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly icons?: readonly Icon[]
  readonly arguments?: readonly ArgumentListing[]
}

/** Says a prompt's entry in `prompts/list`. `schema` is the prompt's `input` as it prints. */
function toPromptListing(name: string, { definition }: Prompt, schema: JsonObject): PromptListing {
  const { title, description, icons } = definition
  const listed = toArgumentListings(schema)
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    ...(icons !== undefined && { icons }),
    ...(listed.length > 0 && { arguments: listed }),
  }
}

/** The arguments in the order in which the author wrote them, as people fill them in in that order. */
function toArgumentListings({ properties, required }: JsonObject): readonly ArgumentListing[] {
  if (!isJsonObject(properties)) return []
  const needed = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, property]) =>
    toArgumentListing(name, isJsonObject(property) ? property : {}, needed.includes(name)),
  )
}

function toArgumentListing(
  name: string,
  { title, description }: JsonObject,
  required: boolean,
): ArgumentListing {
  return {
    name,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    required,
  }
}

/**
 * What in a prompt's definition can never work, a sentence each, for the build to refuse. Clients send
 * text for every argument (schema, "GetPromptRequestParams"), of which a schema may make something
 * else, as `z.coerce.number()` does.
 */
export function findPromptProblems(
  { definition }: Prompt,
  printOther?: PrintOther,
): readonly string[] {
  const { input = nothing, complete } = definition
  const printed = toJsonSchema(input, 'input', printOther)
  const properties = isJsonObject(printed['properties']) ? printed['properties'] : {}
  const unreachable = Object.entries(properties).filter(
    ([name, schema]) => !takesText(input, name, schema),
  )
  return [
    ...findStrayCompleters(complete, Object.keys(properties)),
    ...unreachable.map(
      ([name]) =>
        `\`input\` takes no text for "${name}", and clients send nothing else. Use a string, or make ` +
        'what you need of it, as z.coerce.number() does.',
    ),
  ]
}

/** Texts of which a schema may make a number, a boolean, a date, an array or an object. */
const samples: readonly string[] = ['1', '0', 'true', '2026-01-31', '[]', '{}']

/**
 * Tells whether text can fill in an argument. What is printed says so of plain JSON Schema. A
 * validator's print says nothing of coercion, `z.coerce.number()` and `z.number()` being printed
 * alike, so its schema is tried with some texts.
 */
function takesText(input: Schema, name: string, printed: unknown): boolean {
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
