import { dirname, resolve } from 'node:path'
import { checkSources } from '../../build/build.ts'
import { type MainModule, readMainModule } from '../../build/main-module.ts'
import { type Project, type Sources, loadSources, toRelative } from '../../build/project.ts'
import type { Result } from '../../build/report.ts'
import { readWranglerFile } from '../../build/wrangler-file.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { type Environment, readEnvironments } from './environments.ts'

/** What the checks read, each once. */
export interface CheckContext {
  readonly project: Project
  readonly sources: Sources
  readonly result: Result
  /** wrangler's configuration, and its path from the project's root. */
  readonly config: JsonObject
  readonly configFile: string
  readonly environments: readonly Environment[]
  /** `null` if the configuration names none. */
  readonly main: (MainModule & { readonly file: string }) | null
}

/** @throws {CliError} if wrangler's configuration cannot be read. */
export async function loadCheckContext(project: Project): Promise<CheckContext> {
  const { root } = project
  const sources = await loadSources(project)
  const config = await readWranglerFile(project.config, project.out)
  const path =
    sources.config.main === null ? null : resolve(dirname(project.config), sources.config.main)
  const [result, main] = await Promise.all([
    checkSources(sources),
    path === null ? null : readMainModule(root, path),
  ])
  return {
    project,
    sources,
    result,
    config,
    configFile: toRelative(root, project.config),
    environments: readEnvironments(config),
    main: main === null || path === null ? null : { ...main, file: toRelative(root, path) },
  }
}
