import type { Schema } from '@cfworker/json-schema'
import { schemaKeywords } from './keywords.ts'
import type { Path } from './path.ts'
import { targetOf, type CompiledSchema } from './compile.ts'

/** The subschema that a finding is about, and the keywords that led to it. */
export interface SchemaLocation {
  readonly schema: Schema
  readonly through: ReadonlySet<string>
}

/** Follows the validator's `keywordLocation`, such as `#/properties/a/$ref/type`, to its subschema. */
export function toSchemaLocation(
  compiled: CompiledSchema,
  location: string,
): SchemaLocation | null {
  const through = new Set<string>()
  const steps = toSteps(location).slice(0, -1)
  let schema: Schema | boolean | undefined = compiled.schema
  while (steps.length > 0 && typeof schema === 'object') {
    const keyword = steps.shift() ?? ''
    through.add(keyword)
    if (keyword === '$ref') {
      schema = targetOf(compiled, schema)
      continue
    }
    // draft-07's `items` may be a list
    const isOne = schemaKeywords.get(keyword) === 'one' && !Array.isArray(schema[keyword])
    schema = isOne ? schema[keyword] : schema[keyword]?.[steps.shift() ?? '']
  }
  return typeof schema === 'object' ? { schema, through } : null
}

/** Follows the validator's `instanceLocation`, such as `#/items/0`, through the value. */
export function toInstancePath(root: unknown, location: string): Path {
  let value = root
  return toSteps(location).map((step) => {
    const key = Array.isArray(value) ? Number(step) : step
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
    return key
  })
}

function toSteps(location: string): string[] {
  const steps = location.split('/').slice(1)
  return steps.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
}
