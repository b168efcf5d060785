import type { Prompt } from '../define/prompt.ts'
import { nothing } from '../schema/nothing.ts'
import { toJsonSchema, type PrintOther } from '../schema/print.ts'
import { isJsonObject } from '../wire/json.ts'
import { findStrayCompleters } from './stray-completers.ts'

/**
 * What in a prompt's definition can never work, a sentence each, for the build to refuse. Clients send
 * text for every argument (schema, "GetPromptRequestParams"), and plain JSON Schema turns none of it
 * into anything else, as `z.coerce.number()` does.
 */
export function findPromptProblems(
  { definition }: Prompt,
  printOther?: PrintOther,
): readonly string[] {
  const { input = nothing, complete } = definition
  const printed = toJsonSchema(input, 'input', printOther)
  const properties = isJsonObject(printed['properties']) ? printed['properties'] : {}
  const strays = findStrayCompleters(complete, Object.keys(properties))
  if ('~standard' in input) return strays
  const unreachable = Object.entries(properties).filter(([, schema]) => !takesText(schema))
  return [
    ...strays,
    ...unreachable.map(
      ([name]) =>
        `\`input\` takes no text for "${name}", and clients send nothing else. Use a string.`,
    ),
  ]
}

function takesText(schema: unknown): boolean {
  if (!isJsonObject(schema)) return schema !== false
  const { type } = schema
  return type === undefined || [type].flat().includes('string')
}
