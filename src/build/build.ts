import { dirname, join, resolve } from 'node:path'
import { inspect } from './inspect.ts'
import { bundleLastGood, keepLastGood, serveLastGood } from './last-good.ts'
import { loadLocalKey, toLocalJwks } from './local-issuer.ts'
import { findMainProblems } from './main-module.ts'
import { type Project, type Sources, loadSources, toRelative } from './project.ts'
import { toRegistrySource, writeFileIfChanged } from './registry-source.ts'
import type { Result } from './report.ts'

// Runs in Node, as do all files directly in src/build; its folders run in workerd.

/**
 * Reads the tools and writes the registry. If a tool is refused, the registry stays as it was or,
 * under `wrangler dev`, serves the last good tools.
 */
export async function build(project: Project): Promise<Result> {
  const isDev = process.env['WRANGLER_COMMAND'] === 'dev'
  const sources = await loadSources(project)
  const [{ entries, code, refusals, warnings }, main, copies] = await Promise.all([
    inspect(sources),
    findMainProblems(sources),
    isDev ? bundleLastGood(sources) : null,
  ])
  // good tools would not help a Worker that cannot start, and whose start would end `wrangler dev`
  if (main.refusals.length > 0) {
    return { kind: 'refused', refusals: [...refusals, ...main.refusals], stillServing: false }
  }
  if (refusals.length > 0) {
    return { kind: 'refused', refusals, stillServing: isDev && (await serveLastGood(project)) }
  }
  const registry = join(project.out, 'registry.ts')
  const { bindings } = sources.config
  const localJwks = isDev ? toLocalJwks(await loadLocalKey(project)) : null
  const contents = { entries, code, bindings, localJwks }
  const source = toRegistrySource(contents, (file) => {
    const path = toRelative(dirname(registry), resolve(project.root, file))
    return path.startsWith('.') ? path : `./${path}`
  })
  await writeFileIfChanged(registry, source)
  if (copies !== null) await keepLastGood(project.out, copies, contents)
  const wrote = toRelative(project.root, registry)
  return { kind: 'good', project, entries, config: sources.config, main, warnings, wrote }
}

/** Reads the tools as a build does, and writes nothing. */
export async function check(project: Project): Promise<Result> {
  return checkSources(await loadSources(project))
}

export async function checkSources(sources: Sources): Promise<Result> {
  const { project } = sources
  const [{ entries, refusals: refused, warnings }, main] = await Promise.all([
    inspect(sources),
    findMainProblems(sources),
  ])
  const refusals = [...refused, ...main.refusals]
  if (refusals.length > 0) return { kind: 'refused', refusals, stillServing: false }
  return { kind: 'good', project, entries, config: sources.config, main, warnings }
}
