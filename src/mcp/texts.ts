import { isJsonObject } from '../protocol/json.ts'

/** Reads arguments as prompts and completions have them, an object of strings; `null` for anything else. */
export function readTexts(value: unknown): Readonly<Record<string, string>> | null {
  return isJsonObject(value) && hasTexts(value) ? value : null
}

function hasTexts(value: object): value is Readonly<Record<string, string>> {
  return Object.values(value).every((text) => typeof text === 'string')
}
