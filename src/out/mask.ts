import { readLogin } from './secrets.ts'

const mask = '[secret]'

/** One secret, in every spelling that is masked. */
interface Spelling {
  readonly secret: string
  readonly isIn: (text: string) => boolean
  readonly mask: (text: string) => string
}

/** Masks a list of secrets: plain, and as in JSON, in URLs and in JSON within JSON. */
export class SecretMask {
  readonly #spellings: readonly Spelling[]
  readonly #onMask: (secret: string) => void

  /** `onMask` hears of each secret that is masked. */
  constructor(secrets: Iterable<string>, onMask: (secret: string) => void = () => {}) {
    this.#spellings = toSpellings(secrets)
    this.#onMask = onMask
  }

  mask(text: string): string {
    let masked = text
    for (const spelling of this.#spellings) {
      if (!spelling.isIn(masked)) continue
      this.#onMask(spelling.secret)
      masked = spelling.mask(masked)
    }
    return masked
  }

  isClean(text: string): boolean {
    return !this.#spellings.some(({ isIn }) => isIn(text))
  }

  /** Returns the secrets that a text contains. */
  find(text: string): readonly string[] {
    return this.#spellings.flatMap(({ secret, isIn }) => (isIn(text) ? [secret] : []))
  }
}

function toSpellings(secrets: Iterable<string>): readonly Spelling[] {
  // the longest first: a secret that is part of another one must not leave the rest visible
  const sorted = [...new Set(secrets)].toSorted((a, b) => b.length - a.length)
  return sorted.map((secret) => {
    const login = readLogin(secret)
    if (login === null && /^[\w.~-]*$/.test(secret)) return toLiteral(secret)
    return toPattern(secret, login === null ? toSource(secret) : toLoginSource(secret, login))
  })
}

function toLiteral(secret: string): Spelling {
  return {
    secret,
    isIn: (text) => text.includes(secret),
    mask: (text) => text.replaceAll(secret, mask),
  }
}

function toPattern(secret: string, source: string): Spelling {
  const pattern = new RegExp(source, 'g')
  return {
    secret,
    isIn: (text) => text.search(pattern) !== -1,
    mask: (text) => text.replace(pattern, mask),
  }
}

/**
 * Matches a URL whatever its password is. If only the right password were masked, a caller who knows the rest
 * of the URL could try out passwords.
 */
function toLoginSource(
  secret: string,
  { before, password }: { readonly before: string; readonly password: string },
): string {
  const after = secret.slice(before.length + password.length)
  return `${toSource(before)}[^\\s"'<>]{1,256}?${toSource(after)}`
}

function toSource(text: string): string {
  return Array.from(text, toCharacterSource).join('')
}

/** JSON within JSON doubles each backslash. */
const escapes = '\\\\{1,4}'

/** Matches a character as it is, in JSON and in a URL. */
function toCharacterSource(character: string): string {
  if (/\w/.test(character)) return character
  const plain = character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const inJson = JSON.stringify(character).slice(2, -1)
  const inUrl = Array.from(encoder.encode(character), (byte) => `%${toHexSource(byte, 2)}`).join('')
  const spellings = [plain, inUrl]
  if (character === ' ') spellings.push('\\+')
  if (/["\\/]/.test(character)) spellings.push(`${escapes}${plain}`)
  else if (character < ' ') spellings.push(`${escapes}${inJson}`)
  else if (character > '~') spellings.push(toUnits(character))
  return `(?:${spellings.join('|')})`
}

const encoder = new TextEncoder()

function toUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units.map((unit) => `${escapes}u${toHexSource(unit, 4)}`).join('')
}

/** Matches a number in hexadecimal, in either case. */
function toHexSource(value: number, digits: number): string {
  const hex = value.toString(16).padStart(digits, '0')
  return hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}
