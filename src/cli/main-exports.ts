import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import * as esbuild from 'esbuild'
import type { Sources } from './sources.ts'

const needed = ['Handles', 'Hub', 'Listings']

/**
 * Tells what the Worker's main module should export and does not. The platform finds classes by these
 * names: without them handles, notifications and the cache fail one by one, at the first request.
 */
export async function findUnexported({ project, config }: Sources): Promise<readonly string[]> {
  if (config.main === null) return []
  const exported = await readExports(resolve(dirname(project.config), config.main))
  return exported === null ? [] : needed.filter((name) => !exported.includes(name))
}

/** The names that a module exports; `null` where it cannot be read, or passes on those of another. */
async function readExports(path: string): Promise<readonly string[] | null> {
  try {
    if (/^\s*export\s*\*/m.test(await readFile(path, 'utf8'))) return null
    const { metafile } = await esbuild.build({
      entryPoints: [path],
      write: false,
      metafile: true,
      format: 'esm',
      outdir: '.',
      logLevel: 'silent',
    })
    return Object.values(metafile.outputs).flatMap((output) => output.exports)
  } catch {
    // wrangler says what is wrong with it
    return null
  }
}
