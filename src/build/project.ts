import { readdir } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { type WranglerConfig, loadWranglerConfig } from './wrangler-config.ts'

/** Where a project keeps what the build reads and writes; absolute paths. */
export interface Project {
  readonly root: string
  readonly tools: string
  readonly out: string
  readonly config: string
}

interface Folders {
  readonly tools?: string | undefined
  readonly out?: string | undefined
  readonly config?: string | undefined
}

/** Makes a {@link Project} of a folder and of what the command line says; the rest is convention. */
export function createProject(root: string, folders: Folders = {}): Project {
  return {
    root,
    tools: resolve(root, folders.tools ?? 'tools'),
    out: resolve(root, folders.out ?? '.helve'),
    config: resolve(root, folders.config ?? 'wrangler.toml'),
  }
}

/** A path as people and `import` write it: from `folder`, with slashes on every system. */
export function toRelative(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/')
}

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

/**
 * Finds the files of a folder that may hold a tool, as sorted paths from that folder with slashes.
 * A folder that is not there holds none.
 */
export async function findToolFiles(folder: string): Promise<readonly string[]> {
  const paths = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return paths
    .map((path) => path.replaceAll(sep, '/'))
    .filter(isToolFile)
    .toSorted()
}

/**
 * Tells a file that may hold a tool from one that stands beside the tools: declarations, tests, and
 * whatever a leading `_` or `.` marks as the author's own, in its name or in a folder's.
 */
export function isToolFile(path: string): boolean {
  if (!path.endsWith('.ts') || /\.(?:d|test|spec)\.ts$/.test(path)) return false
  return path.split('/').every((part) => !/^[._]/.test(part))
}

/** The name that a file's place under `tools/` gives: `billing/refund.ts` is `billing.refund`. */
export function toToolName(path: string): string {
  return path.replace(/\.ts$/, '').replaceAll('/', '.')
}
