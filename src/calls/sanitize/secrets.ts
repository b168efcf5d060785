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
