/** A dialect of JSON Schema that Helve checks by, in the words of `@cfworker/json-schema`. */
export type Dialect = '2020-12' | '7'

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/draft-07/schema', '7'],
])

/**
 * Reads a `$schema`: 2020-12 where there is none, `null` for a dialect that is not supported
 * (basic/index, "Schema Dialect").
 */
export function readDialect($schema: unknown): Dialect | null {
  if ($schema === undefined) return '2020-12'
  if (typeof $schema !== 'string') return null
  return dialects.get($schema.replace(/^https?:\/\//, '').replace(/#$/, '')) ?? null
}
