import type { Schema } from '@cfworker/json-schema'
import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { Budget } from './budget.ts'
import { compileSchema, targetOf, type CompiledSchema } from './compile.ts'
import { appliers, childrenOf } from './keywords.ts'

const mostApplied = 10_000

/**
 * Finds references that lead out of the schema or nowhere, and schemas that apply to one and the same
 * value endlessly or thousands of times (basic/index, "$ref Resolution"). It asks the tables of the
 * validator itself, so what resolves here resolves at run time; nothing is ever fetched.
 */
export function findReferenceProblems(schema: JsonObject): readonly string[] {
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

function findLost(schema: Schema, compiled: CompiledSchema): readonly string[] {
  const { $ref } = schema
  if ($ref === undefined || targetOf(compiled, schema) !== undefined) return []
  const advice = $ref.startsWith('#')
    ? 'where this schema has no subschema. Put it under "$defs".'
    : 'outside this schema, and nothing is fetched. Copy what is there into "$defs".'
  return [`"$ref" at ${toPlace(schema)} points to ${$ref}, ${advice}`]
}

function findEndless(subschemas: readonly Schema[], compiled: CompiledSchema): readonly string[] {
  const costs = new Map<Schema, number>()
  const costOf = (schema: Schema): number => {
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

function applied(schema: Schema, compiled: CompiledSchema): readonly Schema[] {
  const children = childrenOf(schema).filter(({ keyword }) => appliers.has(keyword))
  const schemas = [...children.map((child) => child.schema), targetOf(compiled, schema)]
  return schemas.filter(isJsonObject)
}

function toPlace({ __absolute_uri__: uri = '' }: Schema): string {
  return uri.includes('#') ? uri.slice(uri.indexOf('#')) : '#'
}
