import { removeHiddenCharacters } from '../out/hidden-characters.ts'

/** Names the characters of a text that the server would remove, such as "U+200B". */
export function findHidden(text: string): readonly string[] {
  const clean = removeHiddenCharacters(text)
  if (clean === text) return []
  const found = new Set<string>()
  const visible = Array.from(clean)
  let place = 0
  for (const character of text) {
    const now = visible[place]
    // half a surrogate pair and a lone carriage return are replaced, not removed
    const isReplaced =
      now !== character && (now === '\uFFFD' || (now === '\n' && character === '\r'))
    if (now === character || isReplaced) place += 1
    // what follows a control character, such as "[31m", can be seen
    if (now !== character && !/[ -~]/.test(character)) found.add(toCharacterName(character))
  }
  return [...found]
}

/** Names a character by its code point, such as "U+200B", unless it is in ASCII and can be seen. */
export function toCharacterName(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (/[ -~]/.test(character)) return character
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Writes characters that a terminal would not show, or would obey, by their names. */
export function toPrintable(text: string): string {
  const hidden = new Set(findHidden(text))
  const shown = Array.from(text).map((character) => {
    const name = toCharacterName(character)
    return hidden.has(name) || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(character) ? `<${name}>` : character
  })
  return shown.join('')
}

interface HiddenText {
  /** Where in the value it is, such as "inputSchema.description". */
  readonly path: string
  readonly names: readonly string[]
}

/** Finds hidden characters in the texts and keys of a JSON value. */
export function findHiddenTexts(value: unknown, path: readonly string[] = []): HiddenText[] {
  if (typeof value === 'string') return toHiddenText(path, value)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const inner = [...path, toPrintable(key)]
    return [...toHiddenText(inner, key), ...findHiddenTexts(member, inner)]
  })
}

function toHiddenText(path: readonly string[], text: string): HiddenText[] {
  const names = findHidden(text)
  return names.length === 0 ? [] : [{ path: path.join('.'), names }]
}
