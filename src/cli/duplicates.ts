import type { Entry } from './evaluation/evaluated.ts'
import type { Refusal } from './refusal.ts'

/** Refuses entries of one kind that share a name, naming every file that claims it. */
export function findDuplicates(entries: readonly Entry[]): readonly Refusal[] {
  const claims = Map.groupBy(entries, ({ section, key }) => `${section} ${key}`)
  return [...claims.values()].flatMap((rivals) => {
    const [first] = rivals
    if (first === undefined || rivals.length === 1) return []
    const files = rivals.map(({ file }) => file)
    const why = `All of these are named "${first.key}". Keep one, or give the others a \`name\`.`
    return [{ files, why }]
  })
}
