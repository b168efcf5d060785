import { mayHide, removeHiddenCharacters, removeIgnorable } from './hidden-characters.ts'
import { SecretMask } from './mask.ts'
import { type SecretRules, findSecrets } from './secrets.ts'

/** Masks secrets and removes hidden characters in everything that is sent. */
export interface Sanitizer {
  readonly text: (text: string) => string
  /**
   * For the strings and keys of JSON text. Numbers, order and depth do not change.
   *
   * @throws {UnsafeKeysError} where two keys would be equal afterwards, or a key would be empty.
   */
  readonly json: (json: string) => string
  /** The same for a line of the log, which must not fail. */
  readonly line: (json: string) => string
  /** For the JSON text of an author's value, to which a tool's `sanitize` option applies. */
  readonly value: (json: string) => string
  readonly mask: (text: string) => string
  /** Whether a schema names the text, as a key or a value: a result must not break its schema. */
  readonly keeps: (text: string) => boolean
  /** The names in `env` of the secrets that a text contains. */
  readonly findNames: (text: string) => readonly string[]
}

export type OpenSanitizer = (env: object) => Sanitizer

interface SanitizerOptions {
  /** Names of `env` for secrets. */
  readonly names?: ReadonlyMap<string, string>
  /** Keys and values that schemas name; read once, when a secret is found. */
  readonly readKept?: () => ReadonlySet<string>
  /** Hears of the name of each secret that was masked. */
  readonly onMask?: (name: string) => void
}

/**
 * Creates a function that finds the secrets once for each `env`, which is usually the same object
 * in all requests.
 */
export function createSanitizers(
  rules: SecretRules,
  options: Omit<SanitizerOptions, 'names'> = {},
): OpenSanitizer {
  let last: { readonly env: object; readonly sanitizer: Sanitizer } | null = null
  return (env) => {
    if (last?.env !== env) {
      const names = findSecrets(env, rules)
      last = { env, sanitizer: createSanitizer(names.keys(), { ...options, names }) }
    }
    return last.sanitizer
  }
}

export function createSanitizer(
  secrets: Iterable<string>,
  { names = new Map(), readKept = () => noTexts, onMask = () => {} }: SanitizerOptions = {},
): Sanitizer {
  let kept: ReadonlySet<string> | null = null
  const keeps = (text: string): boolean => (kept ??= readKept()).has(text)
  const toName = (secret: string): string => names.get(secret) ?? 'env'
  const secretMask = new SecretMask(secrets, (secret) => onMask(toName(secret)))
  const mask = (text: string): string => secretMask.mask(text)

  function text(dirty: string): string {
    if (!mayHide(dirty)) return mask(dirty.toWellFormed())
    // masked last: a hidden character inside a secret must not protect it
    const masked = mask(removeHiddenCharacters(dirty))
    // nor a joiner that stays, since it may be part of a word
    const bare = removeIgnorable(masked)
    return secretMask.isClean(bare) ? masked : mask(bare)
  }

  const member = (dirty: string): string =>
    secretMask.isClean(dirty) || !keeps(dirty) ? text(dirty) : removeHiddenCharacters(dirty)

  // not masked as a whole: a secret of digits may occur as a number
  const json = (dirty: string): string =>
    isCleanJson(dirty) && secretMask.isClean(dirty) ? dirty : cleanStrings(dirty, member)
  return {
    text,
    json,
    line: toLine(json, text),
    value: json,
    mask,
    keeps,
    findNames: (dirty) => [...new Set(secretMask.find(dirty).map(toName))],
  }
}

const noTexts: ReadonlySet<string> = new Set()

/** Returns the whole as one text where a log line has keys that cannot be cleaned. */
function toLine(
  json: (dirty: string) => string,
  text: (dirty: string) => string,
): (dirty: string) => string {
  return (dirty) => {
    try {
      return json(dirty)
    } catch {
      return JSON.stringify(text(dirty))
    }
  }
}

export type SanitizeOption = false | ((text: string) => string) | undefined

/**
 * Returns the sanitizer of a tool. With `sanitize: false` it changes nothing; a function replaces
 * the rules for hidden characters, and secrets are masked in its result.
 */
export function toToolSanitizer(sanitizer: Sanitizer, own: SanitizeOption): Sanitizer {
  if (own === undefined) return sanitizer
  if (own === false) {
    return { ...sanitizer, text: wellFormed, json: wellFormedJson, value: wellFormedJson }
  }
  const { mask, keeps } = sanitizer
  const text = (dirty: string): string => mask(own(dirty).toWellFormed())
  const member = (clean: string): string => (keeps(clean) ? clean : mask(clean))
  return {
    ...sanitizer,
    text,
    // the author's function has already been applied to the texts; `type` and `mimeType` are not
    // for it
    json: (dirty) => cleanStrings(dirty, (text) => member(text.toWellFormed())),
    value: (dirty) =>
      cleanStrings(dirty, (text, isKey) =>
        isKey && keeps(text) ? text : member(own(text).toWellFormed()),
      ),
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

function cleanStrings(json: string, clean: (text: string, isKey: boolean) => string): string {
  const changedKeys = new Set<string>()
  const cleanedJson = json.replace(literal, (printed, at: number) => {
    const text: unknown = JSON.parse(printed)
    if (typeof text !== 'string') return printed
    const isKey = json[at + printed.length] === ':'
    const cleaned = clean(text, isKey)
    if (cleaned === text) return printed
    if (isKey) changedKeys.add(cleaned)
    return JSON.stringify(cleaned)
  })
  if (changedKeys.size > 0) checkKeys(cleanedJson, changedKeys)
  return cleanedJson
}

/** Cleaning made a key that another member has, or that means something else to its reader. */
export class UnsafeKeysError extends TypeError {
  override readonly name = 'UnsafeKeysError'

  constructor(key: string) {
    const what =
      key === '' || key === '__proto__' ? 'became' : 'became, like another key beside it,'
    super(
      `A key ${what} ${JSON.stringify(key)} when hidden characters were removed and secrets masked, ` +
        'so nothing was sent. Use keys without hidden characters and without secrets.',
    )
  }
}

/** Which of two equal keys counts is up to the reader, so that one could replace the other. */
function checkKeys(json: string, changed: ReadonlySet<string>): void {
  // the members of a result are text without the outer braces
  const open = [new Set<string>()]
  for (const [token, printed] of json.matchAll(tokens)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (printed !== undefined) {
      const key: unknown = JSON.parse(printed)
      const keys = open.at(-1)
      if (typeof key !== 'string' || !changed.has(key)) continue
      if (key === '' || key === '__proto__' || keys?.has(key)) throw new UnsafeKeysError(key)
      keys?.add(key)
    }
  }
}

/** A key with its colon, any other string, or a brace. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(?=:)|"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/g

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
