import { dirname, join, resolve } from 'node:path'
import { inspect } from './inspect.ts'
import { bundleLastGood, keepLastGood, serveLastGood } from './last-good.ts'
import { findUnexported } from './main-exports.ts'
import { toRelative, type Project } from './project.ts'
import { toRegistrySource } from './registry-source.ts'
import type { Result } from './report.ts'
import { loadSources } from './sources.ts'
import { writeFileIfChanged } from './write-file.ts'

/**
 * Reads the tools and writes the registry. Where something is refused it stays as it was, or, under
 * `wrangler dev`, serves the last good tools.
 */
export async function build(project: Project): Promise<Result> {
  const isDev = process.env['WRANGLER_COMMAND'] === 'dev'
  const sources = await loadSources(project)
  const [{ entries, code, refusals }, copies] = await Promise.all([
    inspect(sources),
    isDev ? bundleLastGood(sources) : null,
  ])
  if (refusals.length > 0) {
    return { kind: 'refused', refusals, stillServing: isDev && (await serveLastGood(project)) }
  }
  const registry = join(project.out, 'registry.ts')
  const source = toRegistrySource({ entries, code }, sources.config.bindings, (file) => {
    const path = toRelative(dirname(registry), resolve(project.root, file))
    return path.startsWith('.') ? path : `./${path}`
  })
  await writeFileIfChanged(registry, source)
  if (copies !== null) await keepLastGood(sources, copies, { entries, code })
  const wrote = toRelative(project.root, registry)
  const unexported = await findUnexported(sources)
  return { kind: 'good', project, entries, config: sources.config, unexported, wrote }
}
