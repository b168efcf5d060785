import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { toBundleOptions } from './bundle.ts'
import type { Project, Sources } from './project.ts'
import { loadEsbuild } from './wrangler-packages.ts'
import type { OtherModules } from './wrangler-plugins.ts'
import { type RegistryContents, toRegistrySource, writeFileIfChanged } from './registry-source.ts'

/*
 * After a failed build `wrangler dev` answers no request until the next good one. So while a tool is
 * refused there, the registry points to copies of the tools from the last good build. Packages stay
 * imports: the copies share Helve and the validator with the rest of the Worker.
 */

interface Copy {
  readonly path: string
  readonly contents: Uint8Array
}

/** Bundles the author's modules; `null` if they do not parse, which `inspect` reports. */
export async function bundleLastGood(sources: Sources): Promise<readonly Copy[] | null> {
  const outdir = join(sources.project.out, '.last-good')
  const found: OtherModules['found'] = new Map()
  try {
    const { outputFiles } = await loadEsbuild(sources.project.root).build({
      // the copies lie in several folders
      ...toBundleOptions(sources, { folder: outdir, found }),
      entryPoints: sources.tools.map(({ file }) => file),
      outdir,
      outbase: sources.project.root,
      packages: 'external',
      // also where a tsconfig.json has `paths` for it: the copies must share the Worker's Helve
      external: ['cloudflare:*', 'helve', 'helve/*'],
      sourcemap: 'inline',
    })
    const others = [...found.values()].map((one) => ({ ...one, path: join(outdir, one.path) }))
    return [...outputFiles, ...others]
  } catch {
    return null
  }
}

/** Saves copies of good tools, with a registry that imports the copies. */
export async function keepLastGood(
  out: string,
  files: readonly Copy[],
  contents: RegistryContents,
): Promise<void> {
  const folder = join(out, '.last-good')
  const temporary = await mkdtemp(join(out, '.last-good-'))
  await Promise.all(
    files.map(async ({ path, contents: copied }) => {
      const copy = join(temporary, relative(folder, path))
      await mkdir(dirname(copy), { recursive: true })
      await writeFile(copy, copied)
    }),
  )
  const source = toRegistrySource(contents, (file) => `./${file.replace(/\.\w+$/, '.js')}`)
  await writeFile(
    join(temporary, 'registry.ts'),
    `// @ts-nocheck: the copies have no types\n${source}`,
  )
  await rm(folder, { recursive: true, force: true })
  // if another `wrangler dev` of this project has just put its copies there, they are as good
  await rename(temporary, folder).catch(() => rm(temporary, { recursive: true, force: true }))
}

/** Points the registry to the saved copies; `false` if there are none. */
export async function serveLastGood({ out }: Project): Promise<boolean> {
  try {
    await access(join(out, '.last-good/registry.ts'))
  } catch {
    return false
  }
  const text = `// Written by \`helve build\`, which refused the current tools: see its log.
export { registry } from './.last-good/registry.ts'
`
  await writeFileIfChanged(join(out, 'registry.ts'), text)
  return true
}
