import { join } from 'node:path'
import { toRelative, type Project } from './project.ts'
import { findToolFiles } from './tool-files.ts'
import { toToolName } from './tool-name.ts'
import { loadWranglerConfig, type WranglerConfig } from './wrangler-config.ts'

/** A file that may hold a tool. */
export interface ToolSource {
  /** Its path from the project's root. */
  readonly file: string
  /** The name that its place gives. */
  readonly name: string
}

/** What a build starts from. */
export interface Sources {
  readonly project: Project
  readonly config: WranglerConfig
  readonly tools: readonly ToolSource[]
}

/** Reads the configuration and finds the tools. */
export async function loadSources(project: Project): Promise<Sources> {
  const [config, paths] = await Promise.all([
    loadWranglerConfig(project.config),
    findToolFiles(project.tools),
  ])
  const tools = paths.map((path) => ({
    file: toRelative(project.root, join(project.tools, path)),
    name: toToolName(path),
  }))
  return { project, config, tools }
}
