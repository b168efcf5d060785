import { endOfString } from './json-string.ts'

/**
 * Finds what `JSON.parse` takes in silence and Helve does not, as the end of a sentence, or `null`:
 * - a key that one object has twice: readers differ in which value they keep, so a gateway and this
 *   server could act on different ones;
 * - half a surrogate pair, which no UTF-8 reply can carry back.
 *
 * The text must be valid JSON.
 */
export function findFlaw(text: string): string | null {
  const openKeys: (Set<string> | null)[] = [] // of each open object; null stands for an array
  let isKey = false
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '{':
        openKeys.push(new Set())
        isKey = true
        break
      case '[':
        openKeys.push(null)
        break
      case '}':
      case ']':
        openKeys.pop()
        break
      case ',':
        isKey = true // means nothing in an array, which has no keys to look among
        break
      case '"': {
        const end = endOfString(text, at)
        const string = String(JSON.parse(text.slice(at, end + 1)))
        if (!string.isWellFormed()) return 'a string in it has half a surrogate pair.'
        const keys = isKey ? openKeys.at(-1) : null
        if (keys?.has(string)) return `the key ${quote(string)} stands twice.`
        keys?.add(string)
        isKey = false
        at = end
      }
    }
  }
  return null
}

// a key can be as long as the body, a sentence should not
function quote(key: string): string {
  return key.length > 64 ? `that begins with "${key.slice(0, 64).toWellFormed()}"` : `"${key}"`
}
