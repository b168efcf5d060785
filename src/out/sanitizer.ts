import { createMask, readSecretValues, type Mask } from './mask.ts'
import { removeHiddenCharacters } from './hidden-characters.ts'

/** Masks secrets and removes hidden characters in everything that is sent. */
export interface Sanitizer {
  readonly text: (text: string) => string
  /** For the strings and keys of JSON text. Numbers, order and depth do not change. */
  readonly json: (json: string) => string
  /** For the JSON text of an author's value, to which a tool's `sanitize` option applies. */
  readonly value: (json: string) => string
  readonly mask: Mask
}

export type OpenSanitizer = (env: object) => Sanitizer

/**
 * Creates a function that reads the secrets once for each `env`, which is usually the same object
 * in all requests. `vars` are the names in `[vars]` of wrangler.toml, whose values are public.
 */
export function createSanitizers(vars: readonly string[]): OpenSanitizer {
  const names = new Set(vars)
  let last: { readonly env: object; readonly sanitizer: Sanitizer } | null = null
  return (env) => {
    if (last?.env !== env) last = { env, sanitizer: createSanitizer(readSecretValues(env, names)) }
    return last.sanitizer
  }
}

export function createSanitizer(secrets: readonly string[]): Sanitizer {
  const mask = createMask(secrets)
  // masked last: a hidden character inside a secret must not protect it
  const text = (dirty: string): string => mask(removeHiddenCharacters(dirty))
  // not masked as a whole: a secret of digits may occur as a number
  const json = (dirty: string): string =>
    isCleanJson(dirty) && mask(dirty) === dirty ? dirty : cleanStrings(dirty, text)
  return { text, json, value: json, mask }
}

export type SanitizeOption = false | ((text: string) => string) | undefined

/**
 * Returns the sanitizer of a tool. With `sanitize: false` it changes nothing; a function replaces
 * the rules for hidden characters, and secrets are masked in its result.
 */
export function toToolSanitizer(sanitizer: Sanitizer, own: SanitizeOption): Sanitizer {
  if (own === undefined) return sanitizer
  const { mask } = sanitizer
  if (own === false) {
    return { text: wellFormed, json: wellFormedJson, value: wellFormedJson, mask }
  }
  const text = (dirty: string): string => mask(own(dirty).toWellFormed())
  return {
    text,
    // the author's function has already been applied to the texts; `type` and `mimeType` are not
    // for it
    json: (dirty) => cleanStrings(dirty, (text) => mask(text.toWellFormed())),
    value: (dirty) => cleanStrings(dirty, text),
    mask,
  }
}

function wellFormed(text: string): string {
  return text.toWellFormed()
}

function wellFormedJson(json: string): string {
  return halfPair.test(json) ? cleanStrings(json, wellFormed) : json
}

/** Every string of JSON text, keys too. Not an alternation, whose stack would grow with the text. */
const literal = /"[^"\\]*(?:\\.[^"\\]*)*"/g

function cleanStrings(json: string, clean: (text: string) => string): string {
  return json.replace(literal, (printed) => {
    const text: unknown = JSON.parse(printed)
    if (typeof text !== 'string') return printed
    const cleaned = clean(text)
    return cleaned === text ? printed : JSON.stringify(cleaned)
  })
}

/** JSON.stringify prints only half a surrogate pair as an escape of this range. */
const halfPair = /\\ud[89a-f]/

/**
 * Matches JSON text that may need sanitizing. JSON.stringify prints controls below U+0020 and half
 * pairs as escapes, and everything else unchanged.
 */
const suspect =
  /\\(?:[bf]|u00|ud[89a-f]|r(?!\\n))|[\x7f-\x9f\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u

/** A cheap check that JSON text certainly needs no sanitizing. */
function isCleanJson(json: string): boolean {
  return !suspect.test(json)
}
