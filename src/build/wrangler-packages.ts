import type * as Esbuild from 'esbuild'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { CliError } from './errors.ts'

/*
 * Helve bundles and evaluates with the packages of the project's own wrangler: these are the versions that
 * will bundle and run the Worker, and a second workerd would be 100 MB more to install.
 */

/**
 * Returns the `require` of the wrangler of the project in `root`, or else of the one beside Helve, for a
 * folder of a monorepo whose packages are elsewhere.
 *
 * @throws {CliError} if wrangler is not installed.
 */
export function requireOfWrangler(root: string): NodeJS.Require {
  for (const importer of [join(root, 'package.json'), import.meta.filename]) {
    try {
      return createRequire(createRequire(importer).resolve('wrangler/package.json'))
    } catch {
      // the next one may find it
    }
  }
  throw new CliError('wrangler is not installed. Run `npm install --save-dev wrangler@4`.')
}

/** Loads the esbuild of wrangler. Not by `import`: importers outside wrangler's folder may not see it. */
export function loadEsbuild(root: string): typeof Esbuild {
  return requireOfWrangler(root)('esbuild')
}

export interface WorkerdBinary {
  /** The path of the executable. */
  readonly default: string
  /** The newest compatibility date that it supports. */
  readonly compatibilityDate: string
}

export function findWorkerd(root: string): WorkerdBinary {
  return requireOfWrangler(root)('workerd')
}
