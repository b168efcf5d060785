import { builtinModules } from 'node:module'
import type { BuildOptions } from 'esbuild'
import type { Sources } from './sources.ts'

/** Bundles as wrangler does, so that a module means here what it will mean in the Worker. */
export function toBundleOptions({ project, config }: Sources): BuildOptions & { write: false } {
  return {
    absWorkingDir: project.root,
    outdir: project.out,
    bundle: true,
    // each tool stays a module of its own, which loads and fails alone
    splitting: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*', ...builtinModules],
    loader: Object.fromEntries([...config.moduleTypes.keys()].map((type) => [type, 'copy'])),
    sourcesContent: false,
    write: false,
    logLevel: 'silent',
    logLimit: 0,
  }
}
