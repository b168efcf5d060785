import type { VisibilityOptions } from '../../define/contexts.ts'
import type { ArgumentEntry } from '../../define/registry.ts'
import { isJsonObject } from '../../protocol/json.ts'

interface VisibilityMembers {
  readonly scopes: readonly string[]
  readonly conceal: boolean
  readonly conditional: boolean
}

export function toVisibilityMembers(definition: VisibilityOptions): VisibilityMembers {
  const { scopes = [], conceal = false } = definition
  return { scopes, conceal, conditional: definition.visible !== undefined }
}

/** Creates the entry of an argument or variable: completed by its completer, or by its schema's enum. */
export function toArgumentEntry(
  name: string,
  schema: unknown,
  completers: object | undefined,
): ArgumentEntry {
  const hasCompleter = completers !== undefined && Object.hasOwn(completers, name)
  return { name, suggestions: hasCompleter ? 'completer' : readSuggestions(schema) }
}

/** Reads the texts that a printed schema lists as values, in its alternatives too. */
function readSuggestions(schema: unknown): readonly string[] {
  if (!isJsonObject(schema)) return []
  const { const: only, enum: values, anyOf, oneOf } = schema
  const listed = [only, ...toArray(values)].filter((value) => typeof value === 'string')
  return [...listed, ...[...toArray(anyOf), ...toArray(oneOf)].flatMap(readSuggestions)]
}

function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function findUnknownCompleters(
  completers: object | undefined,
  noun: 'argument' | 'variable',
  names: readonly string[],
): readonly string[] {
  const known = names.length === 0 ? `There are no ${noun}s.` : `There are: ${names.join(', ')}.`
  return Object.keys(completers ?? {})
    .filter((name) => !names.includes(name))
    .map((name) => `\`complete\` has "${name}", but there is no such ${noun}. ${known}`)
}
