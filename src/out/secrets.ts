/** Which texts of `env` are secrets, besides those that look like a credential. */
export interface SecretRules {
  /** The names in `[vars]` of wrangler.toml, whose values are public and look the same in `env`. */
  readonly vars: readonly string[]
  /** Names whose values are secrets whatever they look like. */
  readonly secrets: readonly string[]
  /** Names whose values are no secrets, although they look like a credential. */
  readonly public: readonly string[]
}

/**
 * Finds the secrets of `env`, each with the name that has it. Secrets Store bindings are objects,
 * whose values are not known here.
 */
export function findSecrets(env: object, rules: SecretRules): ReadonlyMap<string, string> {
  const exempt = new Set([...rules.vars, ...rules.public])
  const named = new Set(rules.secrets)
  const found = new Map<string, string>()
  for (const name of Object.keys(env)) {
    const value: unknown = Reflect.get(env, name)
    if (typeof value !== 'string' || (exempt.has(name) && !named.has(name))) continue
    const text = value.trim()
    const parts = findCredentials(name, text)
    const isSecret = parts.length > 0 || (named.has(name) && !isGuessable(text))
    for (const secret of isSecret ? [text, ...parts] : []) {
      if (!found.has(secret)) found.set(secret, name)
    }
  }
  return found
}

/**
 * Checks the names in the options against `env`, when the Worker starts.
 *
 * @throws {RangeError} for a name whose value cannot be masked, so that the author does not rely on it.
 */
export function checkSecretNames(env: object, { secrets, public: open }: SecretRules): void {
  // a platform that only validates the script may start it without bindings
  if (Object.keys(env).length === 0) return
  for (const name of secrets) {
    const value: unknown = Reflect.get(env, name)
    const what = `\`secrets\` names ${JSON.stringify(name)}`
    if (open.includes(name)) {
      throw new RangeError(`${what}, and so does \`public\`. Remove it from one of them.`)
    }
    if (typeof value !== 'string') {
      throw new RangeError(
        `${what}, but \`env\` has no text with that name. Set it with \`npx wrangler secret put\`, or ` +
          'in .dev.vars for `wrangler dev`. A Secrets Store binding cannot be masked.',
      )
    }
    if (isGuessable(value.trim())) {
      throw new RangeError(
        `${what}, but its value is too short or too simple to be masked: a caller could send guesses ` +
          'to a tool that repeats text, and see which of them is masked. Use a longer value, or ' +
          'remove the name from `secrets`.',
      )
    }
  }
}

const minLength = 8
/** The fewest bits that a caller cannot try out, with 100,000 guesses in each request. */
const minBits = 40

/** Whether trying out values of this length and these kinds of characters would find it. */
function isGuessable(text: string): boolean {
  const kinds = [/\d/, /[a-z]/, /[A-Z]/, /[^\dA-Za-z]/].map((kind) => kind.test(text))
  const alphabet = [10, 26, 26, 32].reduce((sum, size, at) => sum + (kinds[at] ? size : 0), 0)
  const isVaried = new Set(text).size >= 5
  return text.length < minLength || !isVaried || text.length * Math.log2(alphabet) < minBits
}

/** Returns the parts of a value that look like a credential; the value itself may be one of them. */
function findCredentials(name: string, text: string): readonly string[] {
  const inJson = readJsonTexts(name, text)
  if (inJson !== null) {
    // the whole is not in `parts`, which would also mask JSON that has no credential
    return inJson.flatMap(([key, part]) => toParts(part, findCredentials(key, part)))
  }
  const login = readLogin(text)
  if (login !== null) {
    const { password, start } = login
    // as a driver decodes it, and shows it in an error
    const spellings = [password, decodePercents(password)]
    const own = spellings.filter((one) => isCredential('PASSWORD', one))
    const rest = text.slice(start.length)
    return [start, ...own, ...findPairs(rest), ...findRandom(rest)]
  }
  const parts = [...findPairs(text), ...findRandom(text)]
  return isCredential(name, text) ? [text, ...parts] : parts
}

/** The credentials of a list of names and values, such as `Server=db;Password=...` or a query. */
function findPairs(text: string): readonly string[] {
  return Array.from(text.matchAll(/([\w ]{1,64})=([^;&,\s"']+)/g)).flatMap(
    ([, key = '', value = '']) =>
      isCredential(key.trim().replaceAll(' ', '_'), value) ? [value] : [],
  )
}

function toParts(text: string, parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : [text, ...parts]
}

/** Reads the texts of a JSON object or array, such as a service account, each with its key. */
function readJsonTexts(name: string, text: string): readonly (readonly [string, string])[] | null {
  if (!/^[[{]/.test(text)) return null
  const texts: (readonly [string, string])[] = []
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (typeof value === 'string') texts.push([/^\d*$/.test(key) ? name : key, value])
      return value
    })
  } catch {
    return null
  }
  return texts
}

/** A URL with a password, such as the connection string of a database. */
const login = /^([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:)([^\s/?#]+)@([^\s/?#@]*)/i

/** Reads the password of a URL, and the URL up to the end of its host. */
export function readLogin(
  text: string,
): { readonly password: string; readonly start: string; readonly before: string } | null {
  const [start, before = '', password = ''] = login.exec(text) ?? []
  return start === undefined ? null : { password, start, before }
}

/** Names of values that are credentials, unless they are a URL, a sentence or plain words. */
const keyName =
  /(?:^|[_-]|[a-z](?=[A-Z]))(?:(?:API|PRIVATE|ACCESS|SECRET)_?)?(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASS|PWD|PASSPHRASE|CREDENTIAL|DSN|SALT|PAT)S?$/i

/** How well-known services begin their keys. */
const keyPrefix = /^(?:[rs]k|whsec|gh[oprsu]|github_pat|glpat|xox[a-z]|npm|hf)[-_]/

function isCredential(name: string, text: string): boolean {
  if (estimateBits(text, wordBits) < minBits || new Set(text).size < 8) return false
  if (keyPrefix.test(text)) return true
  const isMixed = /^(?=.*(?:\d|[a-z][A-Z]|[^\w./:-]))(?!.*(?:\s|:\/\/))/s.test(text)
  return (isMixed && keyName.test(name)) || isRandom(text)
}

function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The parts of a text that no reader would call words: a token in a URL, a line of a PEM key. */
function findRandom(text: string): readonly string[] {
  // a key in PEM has its line breaks as \n where it is a line of .dev.vars
  const pieces = text.split(/(?:\\[nrt]|[\s"'`,;:(){}<>[\]|?&@#\\])+|=(?=[\w/+])/)
  return pieces.flatMap((piece) => {
    // Base64 contains slashes, and so does a path
    const isPath = /^\/|\/\/|\/.*\.|\..*\//.test(piece)
    if (!isPath && isRandom(piece)) return [piece]
    return piece.split(/[/.]/).filter(isRandom)
  })
}

/** A bound for random characters in a text: 16 hexadecimal digits have 64 bits. */
const randomBits = 56

function isRandom(text: string): boolean {
  if (/[\s.:@]/.test(text) && !/^[\w-]{16,}(?:\.[\w-]{16,}){1,2}$/.test(text)) return false
  if (isUuid.test(text) || new Set(text).size < 8) return false
  if (estimateBits(text, wordBits) < minBits) return false
  const runs = text.match(/[a-z0-9]{16,}/gi) ?? []
  return (
    runs.some((run) => (run.match(/\d+|\D+/g) ?? []).length >= 3) ||
    estimateBits(text, 0) >= randomBits
  )
}

/** An id more often than a key, and part of many links. */
const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The bits of a word for somebody who tries out words. */
const wordBits = 11

/**
 * Estimates the bits of a text for somebody who knows how people write: a word counts as a whole,
 * a number as a short one, and a repetition not at all. The rest counts by the character.
 */
function estimateBits(text: string, word: number): number {
  const chunks = new Set(text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+|[^\w\s./-]/g) ?? [])
  return [...chunks].reduce((bits, chunk) => bits + toBits(chunk, word), 0)
}

function toBits(chunk: string, word: number): number {
  if (/\d/.test(chunk)) return Math.min(chunk.length, 6) * 3.3
  if (!/[a-z]/i.test(chunk)) return word === 0 ? 0 : 4
  const isWord = chunk.length >= 3 && /[aeiouy]/i.test(chunk) && !/[^aeiouy]{5}/i.test(chunk)
  return isWord ? word : chunk.length * 4.7
}
