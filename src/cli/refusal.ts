/** Why the build will not serve a module, or several that do not go together. */
export interface Refusal {
  /** Paths from the project's root. */
  readonly files: readonly string[]
  /** Sentences: what is wrong, and what to do about it. */
  readonly why: string
}

/** Prints refusals file by file, in the order they were found, each once. */
export function toRefusalText(refusals: readonly Refusal[]): string {
  const byFiles = Map.groupBy(refusals, ({ files }) => files.join(', '))
  return [...byFiles]
    .map(([files, group]) => {
      const reasons = new Set(group.map(({ why }) => why))
      return [files, ...[...reasons].map((why) => `  - ${why}`)].join('\n')
    })
    .join('\n\n')
}
