import { inspect } from './inspect.ts'
import { findUnexported } from './main-exports.ts'
import type { Project } from './project.ts'
import type { Result } from './report.ts'
import { loadSources } from './sources.ts'

/** Reads the tools as a build does, and leaves it at that. */
export async function check(project: Project): Promise<Result> {
  const sources = await loadSources(project)
  const { entries, refusals } = await inspect(sources)
  if (refusals.length > 0) return { kind: 'refused', refusals, stillServing: false }
  const unexported = await findUnexported(sources)
  return { kind: 'good', project, entries, config: sources.config, unexported }
}
