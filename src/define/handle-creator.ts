import type { HandleKind } from './handle-kind.ts'

/** Tells which tool creates handles of a kind, or `null` where none is known to. */
export type CreatorOf = (kind: HandleKind) => string | null

/**
 * Finds the tool that creates handles of a kind by its name: it has the words of the kind's name and
 * the word `create`, and no others, as `create_basket`, `basket.create` and `basket-create` do.
 */
export function findCreator(kind: HandleKind, tools: readonly string[]): string | null {
  if (kind.createdBy !== null) return kind.createdBy
  const wanted = toWords(`create_${kind.name}`)
  return tools.toSorted().find((tool) => toWords(tool) === wanted) ?? null
}

function toWords(name: string): string {
  return name
    .toLowerCase()
    .split(/[._-]+/)
    .toSorted()
    .join(' ')
}
