import type { Prompt } from '../define/prompt.ts'
import type { Icon } from '../wire/content.ts'
import { isJsonObject, type JsonObject } from '../wire/json.ts'

/** One argument of a prompt (server/prompts, "Prompt"). */
export interface ArgumentListing {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required: boolean
}

/** An entry of `prompts/list` (server/prompts, "Prompt"). */
export interface PromptListing {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly icons?: readonly Icon[]
  readonly arguments?: readonly ArgumentListing[]
}

/** Says a prompt's entry in `prompts/list`. `schema` is the prompt's `input` as it prints. */
export function toPromptListing(
  name: string,
  { definition }: Prompt,
  schema: JsonObject,
): PromptListing {
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
