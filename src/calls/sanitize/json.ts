/** Every string of JSON text, keys too. Unrolled: an alternation would need a stack as long as they. */
const literal = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/**
 * Sanitises the strings and keys of a value that is JSON text already. The text is not taken apart:
 * numbers, order and depth stay as they were printed.
 */
export function sanitizeJson(json: string, sanitize: (text: string) => string): string {
  return json.replace(literal, (printed) => {
    const text: unknown = JSON.parse(printed)
    if (typeof text !== 'string') return printed
    const clean = sanitize(text)
    return clean === text ? printed : JSON.stringify(clean)
  })
}

/**
 * What JSON text has of which `sanitizeText` could remove something. JSON.stringify prints the
 * controls below U+0020 as escapes and everything else as it is.
 */
const suspect = /\\(?:[bf]|u00|r(?!\\n))|[\x7f-\x9f\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/u

/** Tells JSON text that is surely clean, at a glance, from text that has to be looked into. */
export function isCleanJson(json: string): boolean {
  return !suspect.test(json)
}
