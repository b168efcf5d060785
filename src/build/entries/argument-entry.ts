import type { VisibilityOptions } from '../../define/contexts.ts'
import type { ArgumentEntry } from '../../define/registry.ts'
import { isJsonObject } from '../../protocol/json.ts'

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

/** What the registry holds of an entry's visibility. */
interface GuardedEntry {
  readonly scopes: readonly string[]
  readonly conceal: boolean
  readonly conditional: boolean
}

export function toGuarded(definition: VisibilityOptions): GuardedEntry {
  const { scopes = [], conceal = false } = definition
  return { scopes, conceal, conditional: definition.visible !== undefined }
}

/** The completers for what is no argument or variable, each in a sentence. */
export function findStrayCompleters(
  completers: object | undefined,
  names: readonly string[],
): readonly string[] {
  const known = names.length === 0 ? 'There are none.' : `There are: ${names.join(', ')}.`
  return Object.keys(completers ?? {})
    .filter((name) => !names.includes(name))
    .map((name) => `\`complete\` has "${name}", which nothing is called. ${known}`)
}
