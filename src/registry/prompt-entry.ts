import type { Prompt } from '../define/prompt.ts'
import { nothing } from '../schema/nothing.ts'
import { toJsonSchema, type PrintOther } from '../schema/print.ts'
import { isJsonObject } from '../wire/json.ts'
import { toGuarded } from './guarded.ts'
import { toArgumentEntry } from './argument-entry.ts'
import type { PromptEntry } from './entries.ts'
import { toPromptListing } from './prompt-listing.ts'

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
