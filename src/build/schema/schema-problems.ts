import { toErrorMessage } from '../errors.ts'
import type { Schema as CompiledSubschema } from '@cfworker/json-schema'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { Budget } from '../../schema/json-schema/budget.ts'
import { type CompiledSchema, compileSchema, targetOf } from '../../schema/json-schema/compile.ts'
import { type Dialect, childrenOf, readDialect } from '../../schema/json-schema/keywords.ts'
import { type Schema, isStandardSchema } from '../../schema/standard-schema.ts'
import { type PrintOther, toJsonSchema } from '../../schema/to-json-schema.ts'
import { findKeywordProblems } from './keyword-problems.ts'
import { type Visit, inPlaceApplicators, schemaBounds, walkSchema } from './walk-schema.ts'

/** The members of definitions that are printed schemas, and their direction. */
const roles = { input: 'input', output: 'output', params: 'input' } as const

type SchemaKey = keyof typeof roles

export function findSchemaRefusals(
  key: SchemaKey,
  definition: JsonObject,
  printOther: PrintOther,
  toRoot: (printed: JsonObject) => JsonObject = (printed) => printed,
): readonly string[] {
  if (!Object.hasOwn(definition, key)) return []
  const schema = definition[key]
  if (!isSchema(schema)) {
    const found = schema === null || schema === undefined ? String(schema) : typeof schema
    return [`\`${key}\` is ${found}, not a schema. Check its import, or leave it out.`]
  }
  if (isRawShape(schema)) {
    return [`\`${key}\` is an object of schemas, not a schema. Wrap it in z.object({ ... }).`]
  }
  return findPrintedProblems(schema, roles[key], printOther, toRoot).map(
    (why) => `\`${key}\`: ${why}`,
  )
}

function findPrintedProblems(
  schema: Schema,
  role: 'input' | 'output',
  printOther: PrintOther,
  toRoot: (printed: JsonObject) => JsonObject,
): readonly string[] {
  try {
    return findSchemaProblems(toRoot(toJsonSchema(schema, role, printOther)), role)
  } catch (error) {
    return [toErrorMessage(error)]
  }
}

function isSchema(value: unknown): value is Schema {
  if (typeof value === 'function') return '~standard' in value
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Read as a plain JSON Schema, its properties would be unknown keywords. */
function isRawShape(schema: Schema): boolean {
  return (
    !isStandardSchema(schema) &&
    Object.values(schema).some((each) => isSchema(each) && isStandardSchema(each))
  )
}

const unsupported = ['$dynamicRef', '$recursiveRef'] as const

/**
 * Finds the reasons why a printed schema cannot be served, as sentences for its author: a root that is
 * not an object schema, another dialect, malformed keywords, references that lead out of the schema or
 * nowhere, and a schema that is too large or too costly (basic/index, "JSON Schema Usage").
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
  const keywords = visits.flatMap(({ schema, pointer }) =>
    findKeywordProblems(schema, dialect).map((problem) => `At ${pointer}: ${problem}`),
  )
  const problems = [...root, ...parts, ...keywords]
  // references can be followed only in a schema without other problems
  return problems.length > 0 ? problems : findReferenceProblems(schema)
}

function findInputProblems(schema: JsonObject): readonly string[] {
  if (Object.keys(schema).length === 0) {
    return [
      'The input schema is empty. For a tool without arguments, leave `input` out. ' +
        'An empty schema is often caused by two installed versions of one validator.',
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
  if (isKnown) return `At ${pointer}: "$schema" is ${named}, but a schema must use one dialect.`
  return (
    `At ${pointer}: "$schema" is ${named}, a dialect that is not supported. ` +
    'Write the schema in 2020-12, the default, or in draft-07.'
  )
}

const maxApplied = 10_000

/**
 * Finds references that lead out of the schema or nowhere, and schemas that apply endlessly or thousands
 * of times to one value (basic/index, "$ref Resolution"). References are looked up in the validator's
 * own tables, so that they resolve here exactly as at run time. Nothing is fetched.
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

function findLost(schema: CompiledSubschema, compiled: CompiledSchema): readonly string[] {
  const { $ref } = schema
  if ($ref === undefined || targetOf(compiled, schema) !== undefined) return []
  const advice = $ref.startsWith('#')
    ? 'where this schema has no subschema. Put it under "$defs".'
    : 'outside this schema, and nothing is fetched. Copy the target into "$defs".'
  return [`"$ref" at ${toPlace(schema)} points to ${$ref}, ${advice}`]
}

function findEndless(
  subschemas: readonly CompiledSubschema[],
  compiled: CompiledSchema,
): readonly string[] {
  const costs = new Map<CompiledSubschema, number>()
  const costOf = (schema: CompiledSubschema): number => {
    const known = costs.get(schema)
    if (known !== undefined) return known
    // a reference back to here, before the sum is known, is a circle
    costs.set(schema, Infinity)
    const cost = applied(schema, compiled).reduce((sum, next) => sum + costOf(next), 1)
    costs.set(schema, cost)
    return cost
  }
  const costly = subschemas.find((schema) => costOf(schema) > maxApplied)
  if (costly === undefined) return []
  if (costOf(costly) === Infinity) {
    return [
      `The schema at ${toPlace(costly)} refers to itself without a property or an item in between, ` +
        'so that a check would never end. Break the circle of "$ref", "allOf", "anyOf" and so on.',
    ]
  }
  return [
    `The schema at ${toPlace(costly)} applies more than ${maxApplied} subschemas to a single value. ` +
      'Use fewer levels of "anyOf", "oneOf" and "allOf".',
  ]
}

function applied(
  schema: CompiledSubschema,
  compiled: CompiledSchema,
): readonly CompiledSubschema[] {
  const children = childrenOf(schema).filter(({ keyword }) => inPlaceApplicators.has(keyword))
  const schemas = [...children.map((child) => child.schema), targetOf(compiled, schema)]
  return schemas.filter(isJsonObject)
}

function toPlace({ __absolute_uri__: uri = '' }: CompiledSubschema): string {
  return uri.includes('#') ? uri.slice(uri.indexOf('#')) : '#'
}
