export type Mask = (text: string) => string

const mask = '[secret]'

/** Creates the function that masks secrets: plain, as in JSON, and as in URLs. */
export function createMask(secrets: readonly string[]): Mask {
  const spellings = new Set(secrets.flatMap(toSpellings))
  // the longest first: a secret that is part of another one must not leave the rest visible
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
  // encodeURIComponent throws for a lone surrogate
  const inUrl = encodeURIComponent(secret.toWellFormed())
  return [secret, JSON.stringify(secret).slice(1, -1), inUrl]
}

/** A shorter value may occur in any text by chance. */
const minLength = 8

/**
 * Returns the secret values of `env`: every string except the `vars` of wrangler.toml, which are
 * public and look the same at run time. A value with commas also counts as a list, such as keys
 * during rotation. Secrets Store bindings are objects, whose values are not known here.
 */
export function readSecretValues(env: object, vars: ReadonlySet<string>): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value]: readonly [string, unknown]) =>
    typeof value === 'string' && !vars.has(name) ? [value, ...value.split(',')] : [],
  )
  const trimmed = values.map((value) => value.trim())
  return [...new Set(trimmed.filter(({ length }) => length >= minLength))]
}
