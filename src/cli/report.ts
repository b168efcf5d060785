import type { Entry } from './evaluation/evaluated.ts'
import { toRelative, type Project } from './project.ts'
import { toRefusalText, type Refusal } from './refusal.ts'

/** How a command ended. */
export type Result =
  | {
      readonly kind: 'good'
      readonly project: Project
      readonly entries: readonly Entry[]
      readonly wrote?: string
    }
  | {
      readonly kind: 'refused'
      readonly refusals: readonly Refusal[]
      /** Under `wrangler dev` a failed build would stop the server, so this one counts as good. */
      readonly stillServing: boolean
    }

/** What the terminal gets to see of a {@link Result}. */
export interface Report {
  readonly exitCode: 0 | 1
  readonly news: string
  readonly errors: string
}

/** Says how a command ended. */
export function toReport(result: Result): Report {
  if (result.kind === 'refused') {
    const end = result.stillServing
      ? 'helve refused these tools. The last good ones are still served.'
      : 'helve refused these tools, and wrote nothing.'
    const errors = `${toRefusalText(result.refusals)}\n\n${end}`
    return { exitCode: result.stillServing ? 0 : 1, news: '', errors }
  }
  const { entries, project, wrote } = result
  const count = entries.length === 1 ? '1 tool' : `${entries.length} tools`
  const errors =
    entries.length > 0
      ? ''
      : `There is no tool in ${toRelative(project.root, project.tools)}/ yet. ` +
        'Add a file that has `export default defineTool({ ... })`.'
  return { exitCode: 0, news: `helve: ${count}${wrote ? ` in ${wrote}` : ', all good'}`, errors }
}
