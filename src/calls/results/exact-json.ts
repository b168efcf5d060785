/**
 * Prints a value as JSON that says the same: what JSON would turn into something else in silence, such
 * as NaN into null, would leave a result that its output schema does not allow (server/tools, "Output
 * Schema").
 *
 * @throws {TypeError} that says where such a value is.
 */
export function toExactJson(name: string, value: unknown): string {
  const lost = findLost(value)
  if (lost !== null) {
    throw new TypeError(`${name} returned what JSON cannot carry: the value${lost}.`)
  }
  return JSON.stringify(value)
}

/** Where such a value is, below this one, and what; the path is put together on the way back. */
function findLost(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return null
    case 'number':
      return Number.isFinite(value) ? null : ` is ${value}`
    case 'object':
      return value === null ? null : findLostWithin(value)
    default:
      return ` is ${typeof value}`
  }
}

function findLostWithin(value: object): string | null {
  // what prints itself, such as a Date, says what it is on the wire
  if ('toJSON' in value && typeof value.toJSON === 'function') return null
  for (const [key, member] of Object.entries(value)) {
    // a member that is undefined is left out, which is what JSON makes of an optional one
    const isLeftOut = member === undefined && !Array.isArray(value)
    const lost = isLeftOut ? null : findLost(member)
    if (lost !== null) return `.${key}${lost}`
  }
  return null
}
