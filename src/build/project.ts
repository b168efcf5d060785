import { readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { type WranglerConfig, loadWranglerConfig } from './wrangler-config.ts'
import { addLocalSecrets } from './worker-env.ts'

export interface Project {
  readonly root: string
  readonly tools: string
  readonly out: string
  readonly config: string
  /** The environment of wrangler to evaluate the tools for; `null` for the top level. */
  readonly environment: string | null
}

interface Folders {
  readonly tools?: string | undefined
  readonly out?: string | undefined
  readonly config?: string | undefined
  readonly env?: string | undefined
}

/** Creates a {@link Project} from a folder and from the options of the command line. */
export function createProject(root: string, folders: Folders = {}): Project {
  return {
    root,
    tools: resolve(root, folders.tools ?? 'tools'),
    out: resolve(root, folders.out ?? '.helve'),
    config: resolve(root, folders.config ?? 'wrangler.toml'),
    // wrangler passes no `--env` to its build command, but reads this variable too
    environment: folders.env ?? process.env['CLOUDFLARE_ENV'] ?? null,
  }
}

/** Returns a path relative to `folder`, with slashes on every system. */
export function toRelative(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/')
}

export interface ToolSource {
  readonly file: string
  readonly name: string
}

export interface Sources {
  readonly project: Project
  readonly config: WranglerConfig
  readonly tools: readonly ToolSource[]
}

export async function loadSources(project: Project): Promise<Sources> {
  const [config, paths] = await Promise.all([
    loadWranglerConfig(project.config, project.environment),
    findToolFiles(project.tools),
  ])
  const tools = paths.map((path) => ({
    file: toRelative(project.root, join(project.tools, path)),
    name: toToolName(path),
  }))
  const env = await addLocalSecrets(config.env, dirname(project.config), project.environment)
  return { project, config: { ...config, env }, tools }
}

/** Finds the files that may hold a definition, as sorted paths from the folder, with slashes. */
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
 * Whether a file may hold a definition: it is not a declaration or a test, and neither its name nor
 * the name of a folder starts with `_` or `.`.
 */
export function isToolFile(path: string): boolean {
  if (!path.endsWith('.ts') || /\.(?:d|test|spec)\.ts$/.test(path)) return false
  return path.split('/').every((part) => !/^[._]/.test(part))
}

/** Converts a path under `tools/` to a name: `billing/refund.ts` is `billing.refund`. */
export function toToolName(path: string): string {
  return path.replace(/\.ts$/, '').replaceAll('/', '.')
}
