import { createMask, readSecretValues, type Mask } from './mask.ts'
import { removeHiddenCharacters } from './hidden-characters.ts'

/** Cleans everything that leaves: masks secrets and removes what a reader would not see. */
export interface Sanitizer {
  readonly text: (text: string) => string
  /** For JSON text: its strings and keys. Numbers, order and depth stay as they were printed. */
  readonly json: (json: string) => string
  /** For the JSON text of an author's own value, which a tool's `sanitize` option is about. */
  readonly value: (json: string) => string
  /** Only masks secrets. */
  readonly mask: Mask
}

/** Returns the sanitizer of a Worker's `env`. */
export type OpenSanitizer = (env: object) => Sanitizer

/**
 * Creates a function that reads the secrets once for each `env`, which is the same one request after
 * request. `vars` are the names in `[vars]` of wrangler.toml, whose values are public.
 */
export function createSanitizers(vars: readonly string[]): OpenSanitizer {
  const names = new Set(vars)
  let last: { readonly env: object; readonly sanitizer: Sanitizer } | null = null
  return (env) => {
    if (last?.env !== env) last = { env, sanitizer: createSanitizer(readSecretValues(env, names)) }
    return last.sanitizer
  }
}

/** Creates a sanitizer that masks these secrets. */
export function createSanitizer(secrets: readonly string[]): Sanitizer {
  const mask = createMask(secrets)
  // masked last: a hidden character inside a secret must not save it
  const text = (dirty: string): string => mask(removeHiddenCharacters(dirty))
  // never masked as a whole: a secret of digits may stand there as a number
  const json = (dirty: string): string =>
    isCleanJson(dirty) && mask(dirty) === dirty ? dirty : cleanStrings(dirty, text)
  return { text, json, value: json, mask }
}

/** What a tool's `sanitize` option makes of the text in its results. */
export type SanitizeOption = false | ((text: string) => string) | undefined

/**
 * The sanitizer of a tool with a `sanitize` option: `false` lets everything out as it is; a function
 * takes the place of the rules for hidden characters, and secrets are masked in what it returns.
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
    // the author's function has seen its texts by now, and `type` and `mimeType` are not for it
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

/** Every string of JSON text, keys too. Unrolled: an alternation would need a stack as long as the text. */
const literal = /"[^"\\]*(?:\\.[^"\\]*)*"/g

function cleanStrings(json: string, clean: (text: string) => string): string {
  return json.replace(literal, (printed) => {
    const text: unknown = JSON.parse(printed)
    if (typeof text !== 'string') return printed
    const cleaned = clean(text)
    return cleaned === text ? printed : JSON.stringify(cleaned)
  })
}

/** JSON.stringify prints half a surrogate pair, and only that, as an escape from this range. */
const halfPair = /\\ud[89a-f]/

/**
 * What JSON text has of which cleaning could remove something. JSON.stringify prints the controls below
 * U+0020 and half pairs as escapes, and everything else as it is.
 */
const suspect =
  /\\(?:[bf]|u00|ud[89a-f]|r(?!\\n))|[\x7f-\x9f\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u

/** Tells JSON text that is surely clean, at a glance, from text that has to be looked into. */
function isCleanJson(json: string): boolean {
  return !suspect.test(json)
}
