import type { OutputUnit, Schema } from '@cfworker/json-schema'
import { isJsonObject } from '../../protocol/json.ts'
import { excerpt } from '../../util/excerpt.ts'
import {
  type Mismatch,
  type Path,
  type Problem,
  type WrongSize,
  formatPhrase,
  toAllowedValues,
  typePhrase,
  valueAt,
  valuePhrase,
} from '../problem.ts'
import { type CompiledSchema, targetOf } from './compile.ts'
import { schemaKeywords } from './keywords.ts'

// the validator repeats the errors of a subschema for each of these keywords above it
const repeating: ReadonlySet<string> = new Set(
  (
    '$ref allOf if dependentSchemas propertyNames properties patternProperties ' +
    'additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems'
  ).split(' '),
)

/** Reads the validator's errors about a value, without the repetitions of parents. */
export function* readOutputUnits(
  compiled: CompiledSchema,
  units: readonly OutputUnit[],
  root: unknown,
): Generator<Problem> {
  for (let index = 0; index < units.length; index++) {
    const unit = units[index]
    if (unit === undefined || repeating.has(unit.keyword)) continue
    const location = toSchemaLocation(compiled, unit.keywordLocation)
    // `contains` itself reports that too few items match
    if (location === null || location.through.has('contains')) continue
    const path = toInstancePath(root, unit.instanceLocation)
    if (location.through.has('propertyNames')) {
      yield { kind: 'message', path, message: 'is not an allowed name' }
    } else if (unit.keyword === 'anyOf' || unit.keyword === 'oneOf') {
      const inside = takeInside(units, index)
      index += inside.length
      yield readUnion(compiled, unit, inside, location.schema, root, path)
    } else {
      yield* readAssertion(unit.keyword, location.schema, path, root)
    }
  }
}

function takeInside(units: readonly OutputUnit[], at: number): readonly OutputUnit[] {
  const { keywordLocation = '', instanceLocation = '' } = units[at] ?? {}
  let end = at + 1
  for (let unit = units[end]; unit !== undefined; unit = units[++end]) {
    const isDeeper = unit.keywordLocation.startsWith(`${keywordLocation}/`)
    if (!isDeeper || !`${unit.instanceLocation}/`.startsWith(`${instanceLocation}/`)) break
  }
  return units.slice(at + 1, end)
}

function readUnion(
  compiled: CompiledSchema,
  unit: OutputUnit,
  inside: readonly OutputUnit[],
  schema: Schema,
  root: unknown,
  path: Path,
): Problem {
  const start = unit.keywordLocation.length + 1
  const byOption = Map.groupBy(inside, ({ keywordLocation }) =>
    keywordLocation.slice(start).split('/', 1).join(),
  )
  const total = (unit.keyword === 'oneOf' ? schema.oneOf : schema.anyOf)?.length
  if (byOption.size !== total) {
    return { kind: 'message', path, message: 'fits several forms of which only one is allowed' }
  }
  return { kind: 'union', path, options: readOptions(compiled, byOption.values(), root) }
}

function* readOptions(
  compiled: CompiledSchema,
  options: Iterable<readonly OutputUnit[]>,
  root: unknown,
): Generator<Iterable<Problem>> {
  for (const units of options) yield readOutputUnits(compiled, units, root)
}

const sizes: Readonly<Record<string, readonly [WrongSize['bound'], WrongSize['unit']]>> = {
  minimum: ['at least', null],
  maximum: ['at most', null],
  exclusiveMinimum: ['more than', null],
  exclusiveMaximum: ['less than', null],
  minLength: ['at least', 'character'],
  maxLength: ['at most', 'character'],
  minItems: ['at least', 'item'],
  maxItems: ['at most', 'item'],
  minProperties: ['at least', 'field'],
  maxProperties: ['at most', 'field'],
}

function readAssertion(
  keyword: string,
  schema: Schema,
  path: Path,
  root: unknown,
): readonly Problem[] {
  const mismatch = (by: Mismatch['by'], ...expected: readonly string[]): readonly Problem[] => [
    { kind: 'mismatch', path, expected, by },
  ]
  const size = sizes[keyword]
  if (size !== undefined) {
    const [bound, unit] = size
    return [{ kind: 'size', path, bound, unit, limit: Number(schema[keyword]) }]
  }
  switch (keyword) {
    case 'type':
      return mismatch('type', ...toTypePhrases(schema))
    case 'const':
      return mismatch('literal', toLiteral(schema.const))
    case 'enum':
      return [
        { kind: 'mismatch', path, ...toAllowedValues(schema.enum ?? [], toLiteral), by: 'literal' },
      ]
    case 'format':
      return mismatch('format', formatPhrase(`${schema.format}`))
    case 'pattern':
      return mismatch('format', `text that matches /${excerpt(`${schema.pattern}`)}/`)
    case 'multipleOf':
      return mismatch('format', `a multiple of ${schema.multipleOf}`)
    case 'required':
      return readMissing(schema, path, root)
    case 'uniqueItems':
      return [{ kind: 'message', path, message: 'must not hold the same item twice' }]
    case 'contains':
    case 'minContains':
    case 'maxContains':
      return [{ kind: 'message', path, message: toContainsText(schema) }]
    case 'not':
      return isJsonObject(schema.not) && Object.keys(schema.not).length === 0
        ? [{ kind: 'unexpected', path }]
        : [{ kind: 'message', path, message: 'has a value that the schema rules out' }]
    default:
      return [{ kind: 'message', path, message: `does not fit "${keyword}" of the schema` }]
  }
}

function readMissing(schema: Schema, path: Path, root: unknown): readonly Problem[] {
  const missing = (schema.required ?? []).filter(
    (key) => valueAt(root, [...path, key]) === undefined,
  )
  return missing.map((key) => {
    const property = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[key] : true
    const expected = typeof property === 'object' ? toTypePhrases(property) : []
    return { kind: 'mismatch', path: [...path, key], expected, by: 'type' }
  })
}

function toTypePhrases({ type }: Schema): readonly string[] {
  if (type === undefined) return []
  return (Array.isArray(type) ? type : [type]).map(typePhrase)
}

function toContainsText({ minContains = 1, maxContains }: Schema): string {
  const most = maxContains === undefined ? '' : ` and at most ${maxContains}`
  return `must hold at least ${minContains}${most} of the items that the schema asks for`
}

function toLiteral(value: unknown): string {
  return typeof value === 'object' ? excerpt(JSON.stringify(value), 60) : valuePhrase(value)
}

/** The subschema of an error, and the keywords that lead to it. */
interface SchemaLocation {
  readonly schema: Schema
  readonly through: ReadonlySet<string>
}

/** Follows the validator's `keywordLocation`, such as `#/properties/a/$ref/type`, to its subschema. */
function toSchemaLocation(compiled: CompiledSchema, location: string): SchemaLocation | null {
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
function toInstancePath(root: unknown, location: string): Path {
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
