import type { ToolHints } from '../../define/tool.ts'
import { logNotice } from '../../kit/incident.ts'

/** What to do with calls that cannot be counted; what the tool's hints suggest unless said. */
export type WhenUnreachable = 'allow' | 'refuse' | undefined

/**
 * Decides what becomes of a call whose limit does not answer, and writes it to the log. A tool that
 * only reads had better answer; one that deletes had better not.
 */
export function allowsUncounted(
  name: string,
  hints: ToolHints | undefined,
  whenUnreachable: WhenUnreachable,
  error: unknown,
): boolean {
  const decision = whenUnreachable ?? (hints?.destructive === true ? 'refuse' : 'allow')
  const ending = decision === 'allow' ? 'run without being counted' : 'refused'
  logNotice(`limit of ${name}`, `${String(error)} (the call was ${ending})`)
  return decision === 'allow'
}

/** What a model is told of a call that was refused for it. */
export function toUncountedText(name: string): string {
  return `${name} was not run, as its limit could not be checked just now. Try again in a minute.`
}
