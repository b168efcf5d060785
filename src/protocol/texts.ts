import { isJsonObject } from '../wire/json.ts'

/** Reads arguments as prompts and completions have them: an object of strings, or else `null`. */
export function readTexts(value: unknown): Readonly<Record<string, string>> | null {
  if (!isJsonObject(value)) return null
  return isTexts(value) ? value : null
}

function isTexts(value: object): value is Readonly<Record<string, string>> {
  return Object.values(value).every((text) => typeof text === 'string')
}
