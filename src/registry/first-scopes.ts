import type { Registry } from './registry.ts'

/**
 * The scopes that a first sign-in is told to ask for: what it takes to read, or all there are where
 * nothing that reads needs any. The rest is asked for once it is needed (basic/authorization, "Scope
 * Selection Strategy", "Step-Up Authorization Flow"). What is concealed is not told of here either.
 */
export function toFirstScopes({
  tools,
  resources,
  prompts,
}: Pick<Registry, 'tools' | 'resources' | 'prompts'>): readonly string[] {
  const reading = toScopes([...tools.filter(({ readOnly }) => readOnly), ...resources, ...prompts])
  return reading.length > 0 ? reading : toScopes(tools)
}

function toScopes(
  entries: readonly { readonly scopes: readonly string[]; readonly conceal: boolean }[],
): readonly string[] {
  const open = entries.filter(({ conceal }) => !conceal)
  return [...new Set(open.flatMap(({ scopes }) => scopes))].toSorted()
}
