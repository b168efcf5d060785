import { findSchemaProblems } from '../../schema/audit.ts'
import { toJsonSchema, type PrintOther } from '../../schema/print.ts'
import type { Schema } from '../../schema/standard.ts'
import type { JsonObject } from '../../wire/json.ts'
import { toErrorMessage } from '../error-message.ts'

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
