import { endOfString } from './json-string.ts'

/** The deepest nesting of arrays and objects that is read. */
export const maxDepth = 64

const quote = 0x22
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Counts the members of all objects in JSON text, or answers `null` where it is nested deeper than
 * {@link maxDepth}. It runs before `JSON.parse`, which would build a million nested arrays first.
 */
export function countMembers(text: string): number | null {
  let depth = 0
  let members = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case openBrace:
      case openBracket:
        if (++depth > maxDepth) return null
        break
      case closeBrace:
      case closeBracket:
        depth--
        break
      case colon:
        members++
        break
      case quote:
        at = endOfString(text, at)
    }
  }
  return members
}
