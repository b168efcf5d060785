import type { Entry } from './evaluation/evaluated.ts'
import type { Refusal } from './refusal.ts'

/** Refuses entries of one section that claim the same, naming every file that does. */
export function findDuplicates(entries: readonly Entry[]): readonly Refusal[] {
  const claims = entries.flatMap(({ section, file, claims }) =>
    claims.map(({ key, why }) => ({ file, key: `${section} ${key}`, why })),
  )
  return [...Map.groupBy(claims, ({ key }) => key).values()].flatMap((rivals) => {
    const [first] = rivals
    if (first === undefined || rivals.length === 1) return []
    return [{ files: rivals.map(({ file }) => file), why: first.why }]
  })
}
