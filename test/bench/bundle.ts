import { join } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '../..')

export interface Bundled {
  readonly code: string
  readonly metafile: Metafile
}

interface BundleSettings {
  readonly minify?: boolean
  /** Packages that are left out. */
  readonly external?: readonly string[]
}

/** Bundles a main module as wrangler does. Its imports are relative to test/bench. */
export async function bundle(
  contents: string,
  { minify = false, external = [] }: BundleSettings = {},
): Promise<Bundled> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, sourcefile: 'main.ts', loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    minify,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*', ...external],
    plugins: external.includes('zod') ? [] : [oneZod],
    logLevel: 'error',
  })
  return { code: outputFiles[0]?.text ?? '', metafile }
}

/** The peers' own zod would be a second one beside that of the tools. */
const oneZod: Plugin = {
  name: 'one-zod',
  setup(building) {
    building.onResolve({ filter: /^zod(\/|$)/ }, ({ path, kind, pluginData }) =>
      pluginData === root
        ? null
        : building.resolve(path, { kind, resolveDir: root, pluginData: root }),
    )
  },
}
