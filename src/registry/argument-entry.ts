import { isJsonObject } from '../wire/json.ts'
import type { ArgumentEntry } from './entries.ts'

/** Says how one argument is completed: by its module's completer, else by the values of its enum. */
export function toArgumentEntry(
  name: string,
  schema: unknown,
  completers: object | undefined,
): ArgumentEntry {
  const isAsked = completers !== undefined && Object.hasOwn(completers, name)
  return { name, suggestions: isAsked ? 'completer' : readOptions(schema) }
}

/** The texts that a printed schema names as its values, those of its alternatives included. */
function readOptions(schema: unknown): readonly string[] {
  if (!isJsonObject(schema)) return []
  const { const: only, enum: values, anyOf, oneOf } = schema
  const named = [only, ...toArray(values)].filter((value) => typeof value === 'string')
  return [...named, ...[...toArray(anyOf), ...toArray(oneOf)].flatMap(readOptions)]
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
