import type { Schema } from '@cfworker/json-schema'
import { isJsonObject } from '../wire/json.ts'
import { valueAt, type Path } from './path.ts'
import { formatPhrase, typePhrase, valuePhrase } from './phrases.ts'
import type { Mismatch, Problem, WrongSize } from './problem.ts'

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

/** Says what an assertion of JSON Schema wanted from the value at a path. */
export function readAssertion(
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
      return mismatch('literal', ...(schema.enum ?? []).map(toLiteral))
    case 'format':
      return mismatch('form', formatPhrase(`${schema.format}`))
    case 'pattern':
      return mismatch('form', `text that matches /${schema.pattern}/`)
    case 'multipleOf':
      return mismatch('form', `a multiple of ${schema.multipleOf}`)
    case 'required':
      return readMissing(schema, path, root)
    case 'uniqueItems':
      return [{ kind: 'said', path, message: 'must not hold the same item twice' }]
    case 'contains':
    case 'minContains':
    case 'maxContains':
      return [{ kind: 'said', path, message: toContainsText(schema) }]
    case 'not':
      return isJsonObject(schema.not) && Object.keys(schema.not).length === 0
        ? [{ kind: 'unexpected', path }]
        : [{ kind: 'said', path, message: 'has a value that the schema rules out' }]
    default:
      return [{ kind: 'said', path, message: `does not fit "${keyword}" of the schema` }]
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
  return typeof value === 'object' ? JSON.stringify(value) : valuePhrase(value)
}
