import { toErrorMessage } from '../errors.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import {
  type Dialect,
  type Subschema,
  childrenOf,
  readDialect,
} from '../../schema/json-schema/keywords.ts'
import { SchemaReferences } from '../../schema/json-schema/references.ts'
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

const unsupported = ['$recursiveRef'] as const

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
  return problems.length > 0 ? problems : findReferenceProblems(schema, dialect)
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
 * of times to one value (basic/index, "$ref Resolution"). References resolve here exactly as at run time.
 * Nothing is fetched.
 */
function findReferenceProblems(schema: JsonObject, dialect: Dialect): readonly string[] {
  try {
    const references = new SchemaReferences(schema, dialect)
    const subschemas = [...references.subschemas().keys()]
    const lost = subschemas.flatMap((subschema) => findLost(subschema, references))
    return lost.length > 0 ? lost : findEndless(references)
  } catch (error) {
    return [`A "$ref" or "$id" is not usable: ${String(error)}.`]
  }
}

const referring = ['$ref', '$dynamicRef'] as const

function findLost(schema: JsonObject, references: SchemaReferences): readonly string[] {
  return referring.flatMap((keyword) => {
    const reference = schema[keyword]
    if (typeof reference !== 'string') return []
    if (references.resolve(reference, schema) !== undefined) return []
    const advice = reference.startsWith('#')
      ? 'where this schema has no subschema. Put it under "$defs".'
      : 'outside this schema, and nothing is fetched. Copy the target into "$defs".'
    const place = references.subschemas().get(schema)
    return [`"${keyword}" at ${place} points to ${reference}, ${advice}`]
  })
}

function findEndless(references: SchemaReferences): readonly string[] {
  const costs = new Map<JsonObject, number>()
  const costOf = (schema: JsonObject): number => {
    const known = costs.get(schema)
    if (known !== undefined) return known
    // a reference back to here, before the sum is known, is a circle
    costs.set(schema, Infinity)
    const cost = applied(schema, references).reduce((sum, next) => sum + costOf(next), 1)
    costs.set(schema, cost)
    return cost
  }
  for (const [schema, place] of references.subschemas()) {
    if (costOf(schema) === Infinity) {
      return [
        `The schema at ${place} refers to itself without a property or an item in between, ` +
          'so that a check would never end. Break the circle of "$ref", "allOf", "anyOf" and so on.',
      ]
    }
    if (costOf(schema) > maxApplied) {
      return [
        `The schema at ${place} applies more than ${maxApplied} subschemas to a single value. ` +
          'Use fewer levels of "anyOf", "oneOf" and "allOf".',
      ]
    }
  }
  return []
}

/** The schemas that a schema applies to the same value, whatever a `$dynamicRef` leads to. */
function applied(schema: JsonObject, references: SchemaReferences): readonly JsonObject[] {
  const children = childrenOf(schema).filter(({ keyword }) => inPlaceApplicators.has(keyword))
  const { $ref, $dynamicRef } = schema
  const targets: (Subschema | undefined)[] = children.map((child) => child.schema)
  if (typeof $ref === 'string') targets.push(references.resolve($ref, schema))
  if (typeof $dynamicRef === 'string') {
    const { target, byBase } = references.resolveDynamic($dynamicRef, schema)
    targets.push(target, ...byBase.values())
  }
  return targets.filter(isJsonObject)
}
