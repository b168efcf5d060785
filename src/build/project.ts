import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { CliError } from './errors.ts'
import type { Refusal } from './evaluated.ts'
import { findHidden, toCharacterName, toPrintable } from './hidden.ts'
import { type WranglerConfig, loadWranglerConfig } from './wrangler-config.ts'
import { addLocalSecrets } from './worker-env.ts'
import { findWranglerFile } from './wrangler-file.ts'

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
    config: folders.config === undefined ? findWranglerFile(root) : resolve(root, folders.config),
    // wrangler passes no `--env` to its build command, but reads this variable too; an empty name is the
    // top level
    environment: (folders.env ?? process.env['CLOUDFLARE_ENV']) || null,
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
  /** Files and folders that cannot be read as tools. */
  readonly refusals: readonly Refusal[]
  /** Files that look like tools, and are not read. */
  readonly warnings: readonly string[]
}

export async function loadSources(project: Project): Promise<Sources> {
  const [config, found] = await Promise.all([
    loadWranglerConfig(project.config, project),
    findToolFiles(project.tools),
  ])
  const toFile = (path: string): string => toRelative(project.root, join(project.tools, path))
  const env = await addLocalSecrets(config.env, dirname(project.config), project.environment)
  return {
    project,
    config: { ...config, env },
    tools: found.paths.map((path) => ({ file: toFile(path), name: toToolName(path) })),
    refusals: found.refusals.map(({ files, why }) => ({
      files: files.map((path) => toPrintable(toFile(path))),
      why,
    })),
    warnings: found.unread.map(
      (path) => `${toPrintable(toFile(path))} is not read, ${toUnread(path)}`,
    ),
  }
}

function toUnread(path: string): string {
  return /\.c[tj]s$/i.test(path)
    ? 'because it is a CommonJS module. Write an ES module instead, or start its name with "_".'
    : 'because its extension is not in lower case. Rename it, or start its name with "_".'
}

interface ToolFiles {
  /** Sorted paths from the folder, with slashes. */
  readonly paths: readonly string[]
  readonly unread: readonly string[]
  readonly refusals: readonly Refusal[]
}

/** Finds the files that may hold a definition, and those that cannot be read. */
export async function findToolFiles(folder: string): Promise<ToolFiles> {
  const found = await walk(folder, '', [])
  const files = found.flatMap((one) => ('path' in one ? [one.path] : [])).toSorted()
  const refused = found.flatMap((one) => ('path' in one ? [] : [one]))
  const tools = Map.groupBy(files.filter(isToolFile), (path) => path.replace(extension, ''))
  const paths: string[] = []
  for (const same of tools.values()) {
    const why = findNameProblem(same)
    if (why === null) paths.push(...same)
    else refused.push({ files: same, why })
  }
  const unread = files.filter((path) =>
    isToolFile(path.toLowerCase().replace(/\.c([tj]s)$/, '.$1')),
  )
  return { paths, unread: unread.filter((path) => !isToolFile(path)), refusals: refused }
}

type Found = { readonly path: string } | Refusal

/** Lists the files in a folder. It follows symbolic links, and refuses one that leads back. */
async function walk(folder: string, path: string, above: readonly string[]): Promise<Found[]> {
  const here = await realpath(join(folder, path)).catch(ignoreAbsence)
  if (here === null) return []
  // also a link to a folder further up, such as the project with all its packages
  if (above.some((folder) => `${folder}${sep}`.startsWith(`${here}${sep}`))) {
    const why =
      'It is a symbolic link to a folder that contains it. Remove it, or start its name with "_".'
    return [{ files: [path], why }]
  }
  const names = (await readdir(here).catch(ignoreAbsence)) ?? []
  const found = names.filter(isRead).map(async (name): Promise<Found[]> => {
    const inner = path === '' ? name : `${path}/${name}`
    const type = await stat(join(here, name)).catch(ignoreAbsence)
    if (type === null) {
      const why = 'It is a symbolic link to a file that does not exist. Remove it.'
      return isToolFile(name) ? [{ files: [inner], why }] : []
    }
    if (type.isDirectory()) return walk(folder, inner, [...above, here])
    return type.isFile() ? [{ path: inner }] : []
  })
  return (await Promise.all(found)).flat()
}

/** A link to itself, or to nothing, is as good as absent. */
function ignoreAbsence(error: unknown): null {
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'ENOENT' || error.code === 'ELOOP') return null
    throw new CliError(`The tools cannot be read: ${error.message}`)
  }
  throw error
}

function isRead(name: string): boolean {
  return !/^[._]/.test(name)
}

const extension = /\.(?:mts|tsx?|mjs|jsx?)$/

/**
 * Whether a file may hold a definition: it is an ES module but not a declaration or a test, and
 * neither its name nor the name of a folder starts with `_` or `.`.
 */
export function isToolFile(path: string): boolean {
  if (!extension.test(path) || /\.(?:d|test|spec)\.\w+$/.test(path)) return false
  return path.split('/').every(isRead)
}

/** Returns what is wrong with the path of one file under `tools/`, or `null`. */
export function findPathProblem(path: string): string | null {
  return findNameProblem([path])
}

/** Finds out why files that differ only in their extension cannot be tools. */
function findNameProblem(paths: readonly string[]): string | null {
  const [path = ''] = paths
  if (paths.length > 1) {
    return (
      'These files have the same name. Keep one. If a compiler writes the other, let it write to ' +
      'another folder.'
    )
  }
  const refused = [...(path.match(refusedInNames) ?? [])].map(toCharacterName)
  const found = new Set([...refused, ...findHidden(path)])
  return found.size === 0 ? null : `The name of the file has ${[...found].join(', ')}. Rename it.`
}

// esbuild fails with them, some at the end of a build; U+FFFD stands for bytes that are not UTF-8
const refusedInNames = /["*\\\uFFFD\p{Cc}\p{Zl}\p{Zp}]/gu

/**
 * Converts a path under `tools/` to a name: `billing/refund.ts` is `billing_refund`. Not with dots, which
 * the specification allows and the APIs of most models refuse.
 */
export function toToolName(path: string): string {
  return path.replace(extension, '').replaceAll('/', '_')
}
