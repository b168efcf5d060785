import type { Schema as Parsed } from '@cfworker/json-schema'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { type CompiledSchema, compileSchema, targetOf } from '../../schema/json-schema/compile.ts'
import {
  type Dialect,
  type Visit,
  appliers,
  childrenOf,
  isSubschema,
  readDialect,
  schemaBounds,
  schemaKeywords,
  walkSchema,
} from '../../schema/json-schema/keywords.ts'
import { Budget } from '../../schema/json-schema/pattern-guard.ts'
import type { Schema } from '../../schema/standard-schema.ts'
import { type PrintOther, toJsonSchema } from '../../schema/to-json-schema.ts'
import { toErrorMessage } from '../errors.ts'
import { isCatastrophic } from './pattern-safety.ts'

const unsupported = ['$dynamicRef', '$recursiveRef'] as const

/**
 * Finds what keeps a printed schema from being served, each as a sentence for its author: not an
 * object schema, another dialect, malformed keywords, references that lead out or nowhere, and
 * schemas too large or too costly to check by (basic/index, "JSON Schema Usage").
 */
export function findSchemaProblems(schema: unknown, role: 'input' | 'output'): readonly string[] {
  if (!isJsonObject(schema)) return ['The schema must be a JSON Schema object.']
  const root = role === 'input' ? findInputProblems(schema) : []
  const visits = [...walkSchema(schema)]
  const size = findSizeProblems(visits)
  if (size.length > 0) return [...root, ...size]
  const dialect = readDialect(schema['$schema'])
  if (dialect === null) return [...root, toDialectText('#', schema['$schema'])]
  const parts = visits.flatMap((visit) => findPartProblems(visit, dialect))
  const shapes = visits.flatMap(({ schema, pointer }) =>
    findShapeProblems(schema, dialect).map((problem) => `At ${pointer}: ${problem}`),
  )
  const problems = [...root, ...parts, ...shapes]
  // references can be followed only through a schema that is sound
  return problems.length > 0 ? problems : findReferenceProblems(schema)
}

function findInputProblems(schema: JsonObject): readonly string[] {
  if (Object.keys(schema).length === 0) {
    return [
      'The input schema is empty. A tool without arguments has no `input`; ' +
        'an empty schema often comes from two versions of one validator.',
    ]
  }
  if (schema['type'] === 'object') return []
  return ['The input schema must have "type": "object" at its root, since arguments have names.']
}

function findSizeProblems(visits: readonly Visit[]): readonly string[] {
  const { depth, subschemas } = schemaBounds
  const deep = visits.find((visit) => visit.depth > depth)
  if (deep !== undefined) return [`The schema is more than ${depth} levels deep. Flatten it.`]
  if (visits.length <= subschemas) return []
  return [
    `The schema has more than ${subschemas} subschemas. Split the tool, or loosen its schema.`,
  ]
}

function findPartProblems({ schema, pointer }: Visit, dialect: Dialect): readonly string[] {
  const problems = unsupported
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => `At ${pointer}: "${keyword}" is not supported. Use "$ref".`)
  const { $schema } = schema
  if ($schema === undefined || readDialect($schema) === dialect) return problems
  return [...problems, toDialectText(pointer, $schema)]
}

function toDialectText(pointer: string, $schema: unknown): string {
  const named = JSON.stringify($schema)
  const isKnown = pointer !== '#' && readDialect($schema) !== null
  if (isKnown)
    return `At ${pointer}: "$schema" is ${named}, but a schema has one dialect throughout.`
  return (
    `At ${pointer}: "$schema" is ${named}, a dialect that is not supported. ` +
    'Write the schema in 2020-12, the default, or in draft-07.'
  )
}

const mostApplied = 10_000

/**
 * Finds references that lead out of the schema or nowhere, and schemas that apply to one and the same
 * value endlessly or thousands of times (basic/index, "$ref Resolution"). It asks the tables of the
 * validator itself, so what resolves here resolves at run time; nothing is ever fetched.
 */
function findReferenceProblems(schema: JsonObject): readonly string[] {
  let compiled: CompiledSchema
  try {
    compiled = compileSchema(schema, new Budget(Infinity))
  } catch (error) {
    return [`A "$ref" or "$id" is not usable: ${String(error)}.`]
  }
  const subschemas = [...new Set(Object.values(compiled.lookup))].filter(isJsonObject)
  const lost = subschemas.flatMap((subschema) => findLost(subschema, compiled))
  return lost.length > 0 ? lost : findEndless(subschemas, compiled)
}

function findLost(schema: Parsed, compiled: CompiledSchema): readonly string[] {
  const { $ref } = schema
  if ($ref === undefined || targetOf(compiled, schema) !== undefined) return []
  const advice = $ref.startsWith('#')
    ? 'where this schema has no subschema. Put it under "$defs".'
    : 'outside this schema, and nothing is fetched. Copy what is there into "$defs".'
  return [`"$ref" at ${toPlace(schema)} points to ${$ref}, ${advice}`]
}

function findEndless(subschemas: readonly Parsed[], compiled: CompiledSchema): readonly string[] {
  const costs = new Map<Parsed, number>()
  const costOf = (schema: Parsed): number => {
    const known = costs.get(schema)
    if (known !== undefined) return known
    // whoever comes back here before the sum is known has gone round in a circle
    costs.set(schema, Infinity)
    const cost = applied(schema, compiled).reduce((sum, next) => sum + costOf(next), 1)
    costs.set(schema, cost)
    return cost
  }
  const costly = subschemas.find((schema) => costOf(schema) > mostApplied)
  if (costly === undefined) return []
  if (costOf(costly) === Infinity) {
    return [
      `The schema at ${toPlace(costly)} runs in a circle that never enters a property or an item, ` +
        'so a check would never end. Break the circle of "$ref", "allOf", "anyOf" and the like.',
    ]
  }
  return [
    `The schema at ${toPlace(costly)} applies more than ${mostApplied} subschemas to a single value. ` +
      'Use fewer levels of "anyOf", "oneOf" and "allOf".',
  ]
}

function applied(schema: Parsed, compiled: CompiledSchema): readonly Parsed[] {
  const children = childrenOf(schema).filter(({ keyword }) => appliers.has(keyword))
  const schemas = [...children.map((child) => child.schema), targetOf(compiled, schema)]
  return schemas.filter(isJsonObject)
}

function toPlace({ __absolute_uri__: uri = '' }: Parsed): string {
  return uri.includes('#') ? uri.slice(uri.indexOf('#')) : '#'
}

type Fits = (value: unknown) => boolean
type Shape = readonly [wanted: string, fits: Fits]

const typeNames: readonly unknown[] = 'string number integer boolean object array null'.split(' ')

const shapes: ReadonlyMap<string, Shape> = new Map([
  ...shape('text', isText, '$id $ref $anchor $schema $comment title description format pattern'),
  ...shape('a whole number from 0', isCount, 'minLength maxLength minItems maxItems'),
  ...shape('a whole number from 0', isCount, 'minContains maxContains minProperties maxProperties'),
  ...shape('a number', Number.isFinite, 'minimum maximum exclusiveMinimum exclusiveMaximum'),
  ...shape('a number above 0', isAboveZero, 'multipleOf'),
  ...shape('true or false', (value) => typeof value === 'boolean', 'uniqueItems'),
  ...shape(`one of ${typeNames.join(', ')}, or a list of them`, isType, 'type'),
  ...shape('a list of names', isNames, 'required'),
  ...shape('a list of values', isFilled, 'enum'),
  ...shape('an object of lists of names', isMapOf(isNames), 'dependentRequired'),
])

const holders = {
  one: ['a schema', isSubschema],
  list: ['a list of schemas', isSchemas],
  map: ['an object of schemas', isMapOf(isSubschema)],
} as const

/** Finds the keywords of one subschema whose values its dialect does not allow. */
function findShapeProblems(schema: JsonObject, dialect: Dialect): readonly string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const [wanted, fits] = shapeOf(keyword, dialect) ?? ['', () => true]
    if (!fits(value)) return [`"${keyword}" must be ${wanted}.`]
    if (keyword === 'pattern') return findPatternProblems([String(value)])
    return keyword === 'patternProperties' ? findPatternProblems(Object.keys(Object(value))) : []
  })
}

function shapeOf(keyword: string, dialect: Dialect): Shape | undefined {
  if (keyword === 'items' && dialect === '7') {
    return ['a schema or a list of schemas', (value) => isSubschema(value) || isSchemas(value)]
  }
  if (keyword === 'dependencies') {
    return [
      'an object of schemas or lists of names',
      isMapOf((of) => isSubschema(of) || isNames(of)),
    ]
  }
  const kind = schemaKeywords.get(keyword)
  return kind === undefined ? shapes.get(keyword) : holders[kind]
}

function shape(
  wanted: string,
  fits: Fits,
  keywords: string,
): readonly (readonly [string, Shape])[] {
  return keywords.split(' ').map((keyword) => [keyword, [wanted, fits]])
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

function isAboveZero(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) > 0
}

function isType(value: unknown): boolean {
  return isFilled(value) ? value.every((one) => typeNames.includes(one)) : typeNames.includes(value)
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}

function isSchemas(value: unknown): boolean {
  return isFilled(value) && value.every(isSubschema)
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}

function isMapOf(fits: Fits): Fits {
  return (value) => isJsonObject(value) && Object.values(value).every(fits)
}

/** Finds the regular expressions that the engine refuses, or that could keep it busy for ages. */
function findPatternProblems(sources: readonly string[]): readonly string[] {
  return sources.flatMap((source) => {
    try {
      // the flag under which JSON Schema's patterns are matched
      RegExp(source, 'u')
    } catch (error) {
      return [`The pattern ${source} is not valid: ${String(error)}.`]
    }
    if (!isCatastrophic(source)) return []
    return [
      `The pattern ${source} repeats what can match the same text in several ways, so that hostile ` +
        'input keeps it busy for seconds or for ever. Repeat one part only, put a separator between ' +
        'two, or begin with ^.',
    ]
  })
}

/** Which members of definitions are schemas that are printed, and for which direction. */
const roles = { input: 'input', output: 'output', params: 'input' } as const

type SchemaKey = keyof typeof roles

/** Why one of a definition's schemas cannot be listed; nothing where it has none. */
export function findSchemaRefusals(
  key: SchemaKey,
  definition: JsonObject,
  printOther: PrintOther,
): readonly string[] {
  if (!Object.hasOwn(definition, key)) return []
  const schema = definition[key]
  if (!isSchema(schema)) {
    const found = schema === null || schema === undefined ? String(schema) : typeof schema
    return [
      `\`${key}\` is ${found}, not a schema. Check where it is imported from, or leave it out.`,
    ]
  }
  return findProblems(schema, roles[key], printOther).map((why) => `\`${key}\`: ${why}`)
}

function findProblems(
  schema: Schema,
  role: 'input' | 'output',
  printOther: PrintOther,
): readonly string[] {
  try {
    return findSchemaProblems(toJsonSchema(schema, role, printOther), role)
  } catch (error) {
    return [toErrorMessage(error)]
  }
}

function isSchema(value: unknown): value is Schema {
  if (typeof value === 'function') return '~standard' in value
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
