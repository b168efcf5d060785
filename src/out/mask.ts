/** Takes secrets out of a text. */
export type Mask = (text: string) => string

const mask = '[secret]'

/** Makes what masks secrets: as they are, as JSON prints them, and as URLs write them. */
export function createMask(secrets: readonly string[]): Mask {
  const spellings = new Set(secrets.flatMap(toSpellings))
  // the longest first: a secret that is a part of another must not leave the rest of it
  const sorted = [...spellings].toSorted((a, b) => b.length - a.length)
  return (text) => {
    let masked = text
    for (const secret of sorted) {
      if (masked.includes(secret)) masked = masked.replaceAll(secret, mask)
    }
    return masked
  }
}

function toSpellings(secret: string): readonly string[] {
  // a lone surrogate has no place in a URL, and encodeURIComponent throws for it
  const inUrl = encodeURIComponent(secret.toWellFormed())
  return [secret, JSON.stringify(secret).slice(1, -1), inUrl]
}

/** A shorter value could stand in any text by chance. */
const minLength = 8

/**
 * The values that must not go out: every string of `env` but the `vars` of wrangler.toml, as those are
 * public and look no different at run time. A value with commas is also a list of them, as keys that
 * are being rotated are. Secrets Store bindings are objects, whose values nobody knows here.
 */
export function readSecretValues(env: object, vars: ReadonlySet<string>): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value]: readonly [string, unknown]) =>
    typeof value === 'string' && !vars.has(name) ? [value, ...value.split(',')] : [],
  )
  const trimmed = values.map((value) => value.trim())
  return [...new Set(trimmed.filter(({ length }) => length >= minLength))]
}
