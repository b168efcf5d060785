import { relative, resolve, sep } from 'node:path'

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
