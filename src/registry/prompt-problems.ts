import type { Prompt } from '../define/prompt.ts'
import { nothing } from '../schema/nothing.ts'
import { toJsonSchema, type PrintOther } from '../schema/print.ts'
import { isJsonObject } from '../wire/json.ts'
import { findStrayCompleters } from './stray-completers.ts'
import { takesText } from './takes-text.ts'

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
