import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { readDialect, type Dialect } from './dialect.ts'
import { findReferenceProblems } from './references.ts'
import { findShapeProblems } from './shapes.ts'
import { schemaBounds, walkSchema, type Visit } from './walk.ts'

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
