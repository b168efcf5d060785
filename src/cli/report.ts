import type { Entry, Section } from './evaluation/evaluated.ts'
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
  const errors =
    entries.length > 0
      ? ''
      : `There is no tool in ${toRelative(project.root, project.tools)}/ yet. ` +
        'Add a file that has `export default defineTool({ ... })`.'
  return {
    exitCode: 0,
    news: `helve: ${toCount(entries)}${wrote ? ` in ${wrote}` : ', all good'}`,
    errors,
  }
}

const words: Readonly<Record<Section, string>> = {
  tools: 'tool',
  resources: 'resource',
  prompts: 'prompt',
  handles: 'handle',
}

/** Such as `4 tools, 1 prompt`. */
function toCount(entries: readonly Entry[]): string {
  if (entries.length === 0) return '0 tools'
  const counts = Object.entries(words).flatMap(([section, word]) => {
    const { length } = entries.filter((entry) => entry.section === section)
    return length === 0 ? [] : `${length} ${word}${length === 1 ? '' : 's'}`
  })
  return counts.join(', ')
}
