import type { Prompt } from '../../define/prompt.ts'
import type { PromptEntry } from '../../define/registry.ts'
import type { Icon } from '../../protocol/content.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { readIssues } from '../../schema/issues.ts'
import type { Problem } from '../../schema/problem.ts'
import {
  type Schema,
  type StandardSchema,
  isStandardSchema,
  noArguments,
} from '../../schema/standard-schema.ts'
import { type PrintOther, toJsonSchema } from '../../schema/to-json-schema.ts'
import { findUnknownCompleters, toArgumentEntry, toVisibilityMembers } from './shared-members.ts'

/** Creates the registry's entry of a prompt, without `load`, which the build adds. */
export function toPromptEntry(
  name: string,
  prompt: Prompt,
  printOther?: PrintOther,
): Omit<PromptEntry, 'load'> {
  const { input = noArguments, complete } = prompt.definition
  const schema = toJsonSchema(input, 'input', printOther)
  const { properties } = schema
  return {
    name,
    listed: JSON.stringify(toPromptListing(name, prompt, schema)),
    ...toVisibilityMembers(prompt.definition),
    arguments: Object.entries(isJsonObject(properties) ? properties : {}).map(
      ([argument, property]) => toArgumentEntry(argument, property, complete),
    ),
  }
}

interface ArgumentListing {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required: boolean
}

interface PromptListing {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly icons?: readonly Icon[]
  readonly arguments?: readonly ArgumentListing[]
}

function toPromptListing(name: string, { definition }: Prompt, input: JsonObject): PromptListing {
  const { title, description, icons } = definition
  const listed = toArgumentListings(input)
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    ...(icons !== undefined && { icons }),
    ...(listed.length > 0 && { arguments: listed }),
  }
}

/** Keeps the order of the author, in which people fill in the arguments. */
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
 * Finds the parts of a prompt's definition that can never work. Clients send text for every argument
 * (schema, "GetPromptRequestParams"), which a schema may convert, as `z.coerce.number()` does.
 */
export function findPromptProblems(
  { definition }: Prompt,
  printOther?: PrintOther,
): readonly string[] {
  const { input = noArguments, complete } = definition
  const printed = toJsonSchema(input, 'input', printOther)
  const properties = isJsonObject(printed['properties']) ? printed['properties'] : {}
  const unreachable = Object.entries(properties).filter(
    ([name, schema]) => !acceptsText(input, name, schema),
  )
  return [
    ...findUnknownCompleters(complete, 'argument', Object.keys(properties)),
    ...unreachable.map(
      ([name]) =>
        `\`input\` does not accept text for "${name}", and clients send only text. Use a string, or ` +
        'convert it, as z.coerce.number() does.',
    ),
  ]
}

/** Texts that a schema may convert to a number, a boolean, a date, an array or an object. */
const samples: readonly string[] = ['1', '0', 'true', '2026-01-31', '[]', '{}']

/**
 * Returns whether an argument accepts text. A plain JSON Schema says so itself. The printed schema of a
 * validator does not show coercion (`z.coerce.number()` and `z.number()` are printed alike), so the
 * validator is tried with some texts.
 */
function acceptsText(input: Schema, name: string, printed: unknown): boolean {
  if (mayBeText(printed)) return true
  if (!isStandardSchema(input)) return false
  const listed = valuesOf(printed)
  return [...samples, ...listed].some((text) => accepts(input, name, text, listed.length > 0))
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

function valuesOf(printed: unknown): readonly string[] {
  if (!isJsonObject(printed)) return []
  const { const: only, enum: values = [] } = printed
  return [only, values]
    .flat()
    .filter((value) => value !== undefined)
    .map(String)
}

function accepts(input: StandardSchema, name: string, text: string, isListed: boolean): boolean {
  try {
    const result = input['~standard'].validate({ [name]: text })
    if ('then' in result) {
      // an asynchronous schema may accept anything; its rejection must not stay unhandled
      Promise.resolve(result).catch(() => {})
      return true
    }
    const problems = Array.from(readIssues(result.issues ?? []))
    return !problems.some((problem) => problem.path[0] === name && isAboutType(problem, isListed))
  } catch {
    // such as from JSON.parse in a transformation
    return false
  }
}

/**
 * Returns whether the text has the wrong type, rather than a converted value that is, for example, too
 * small. A value that is not listed may be either, unless the listed values were tried.
 */
function isAboutType(problem: Problem, isListed: boolean): boolean {
  if (problem.kind !== 'mismatch') return problem.kind !== 'size'
  return problem.by === 'type' || (problem.by === 'literal' && isListed)
}
