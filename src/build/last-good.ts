import * as esbuild from 'esbuild'
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { toBundleOptions } from './bundle.ts'
import type { Inspection } from './inspect.ts'
import type { Project, Sources } from './project.ts'
import { toRegistrySource } from './registry-source.ts'

/*
 * `wrangler dev` answers nothing from a failed build, be it ours or its own, until the next good one.
 * So while a tool is refused there, the registry points at a copy of the tools as they last were good.
 * Packages stay imports: the copies share Helve and the validator with the rest of the Worker.
 */

/** Bundles the author's own modules; `null` where they do not parse, which `inspect` reports. */
export async function bundleLastGood(
  sources: Sources,
): Promise<readonly esbuild.OutputFile[] | null> {
  try {
    const { outputFiles } = await esbuild.build({
      ...toBundleOptions(sources),
      entryPoints: sources.tools.map(({ file }) => file),
      outdir: join(sources.project.out, '.last-good'),
      outbase: sources.project.root,
      packages: 'external',
      sourcemap: 'inline',
    })
    return outputFiles
  } catch {
    return null
  }
}

/** Keeps tools that were found good, with a registry that imports the kept ones. */
export async function keepLastGood(
  { project: { out }, config }: Sources,
  files: readonly esbuild.OutputFile[],
  inspected: Pick<Inspection, 'entries' | 'code'>,
): Promise<void> {
  const folder = join(out, '.last-good')
  const fresh = await mkdtemp(join(out, '.last-good-'))
  await Promise.all(
    files.map(async ({ path, contents }) => {
      const copy = join(fresh, relative(folder, path))
      await mkdir(dirname(copy), { recursive: true })
      await writeFile(copy, contents)
    }),
  )
  const source = toRegistrySource(
    inspected,
    config.bindings,
    (file) => `./${file.replace(/\.ts$/, '.js')}`,
  )
  await writeFile(join(fresh, 'registry.ts'), `// @ts-nocheck: the copies have no types\n${source}`)
  await rm(folder, { recursive: true, force: true })
  // another `wrangler dev` of this project may have put its own there just now: as good as this
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }))
}

/** Points the registry at the kept tools; `false` where none were ever kept. */
export async function serveLastGood({ out }: Project): Promise<boolean> {
  try {
    await access(join(out, '.last-good/registry.ts'))
  } catch {
    return false
  }
  const text = `// Written by \`helve build\`, which refused the tools as they are: see its log.
export { registry } from './.last-good/registry.ts'
`
  await writeFileIfChanged(join(out, 'registry.ts'), text)
  return true
}

/**
 * Writes a text file, unless it says the same already: a watcher need not wake. It is renamed into
 * place, so that nobody who reads it meanwhile sees half of it.
 */
export async function writeFileIfChanged(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => null)
  if (before === text) return
  await mkdir(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}.tmp`
  await writeFile(fresh, text)
  await rename(fresh, path)
}
