import { findSchemaProblems } from '../../schema/audit.ts'
import { toJsonSchema, type PrintOther } from '../../schema/print.ts'
import type { Schema } from '../../schema/standard.ts'
import type { JsonObject } from '../../wire/json.ts'
import { toErrorMessage } from '../error-message.ts'

/** Why a definition's `input` or `output` cannot be listed; nothing where it has none. */
export function findSchemaRefusals(
  role: 'input' | 'output',
  definition: JsonObject,
  printOther: PrintOther,
): readonly string[] {
  if (!Object.hasOwn(definition, role)) return []
  const schema = definition[role]
  if (!isSchema(schema)) {
    const found = schema === null || schema === undefined ? String(schema) : typeof schema
    return [
      `\`${role}\` is ${found}, not a schema. Check where it is imported from, or leave it out.`,
    ]
  }
  return findProblems(schema, role, printOther).map((why) => `\`${role}\`: ${why}`)
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
