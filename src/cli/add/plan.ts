/** A file that is written, with what is in it before and after. */
export interface FileChange {
  /** The path from the folder of the project, with slashes. */
  readonly file: string
  /** `null` if there is no such file. */
  readonly before: string | null
  readonly after: string
}

/** What one part of a project needs. */
export interface Plan {
  readonly changes: readonly FileChange[]
  /** What a person has to do, each with the exact lines: what is there is not understood, and is left alone. */
  readonly advice: readonly string[]
}

export const nothing: Plan = { changes: [], advice: [] }

export function toPlan(change: FileChange): Plan {
  return change.before === change.after ? nothing : { changes: [change], advice: [] }
}

export function toAdvice(sentence: string, lines: string): Plan {
  const indented = lines.replaceAll(/^(?=.)/gm, '    ')
  return { changes: [], advice: [`${sentence}\n\n${indented}`] }
}

/** Edits a text whose lines may end as on Windows. */
export function editLines(text: string, edit: (text: string) => string): string {
  if (!text.includes('\r\n')) return edit(text)
  return edit(text.replaceAll('\r\n', '\n')).replaceAll('\n', '\r\n')
}

export function joinPlans(plans: readonly Plan[]): Plan {
  return {
    changes: plans.flatMap(({ changes }) => changes),
    advice: plans.flatMap(({ advice }) => advice),
  }
}
