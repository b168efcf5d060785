import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { findFunctions, recordCalls, type FoundFunction } from './record-calls.ts'

const root = join(import.meta.dirname, '../..')

/** A function, and its file from the repository's root; empty for what esbuild adds. */
export interface Place {
  readonly name: string
  readonly file: string
}

/** A fixture in one file, whose functions record their calls. */
export interface Bundle {
  readonly text: string
  readonly functions: readonly (Place & FoundFunction)[]
  /** The index of the function at a line and a column, counted from 1; -1 where there is none. */
  functionAt(line: number, column: number): number
}

/** Builds the registry of a fixture with Helve's own command, and bundles its Worker. */
export async function bundleFixture(fixture: string, out: string): Promise<Bundle> {
  const folder = join(import.meta.dirname, fixture)
  const command = [join(root, 'src/cli/helve.ts'), 'build', '--out', out]
  await promisify(execFile)(process.execPath, command, { cwd: folder })
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createMeasuredWorker } from './measured-worker.ts'
        import { options } from './${fixture}/options.ts'
        import { registry } from ${JSON.stringify(join(out, 'registry.ts'))}
        const worker = createMeasuredWorker({ ...options, registry })
        export const { Listings } = worker
        export default { fetch: worker.fetch }`,
      resolveDir: import.meta.dirname,
    },
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker'],
    external: ['cloudflare:*'],
    logLevel: 'error',
  })
  return readBundle(outputFiles[0]?.text ?? '')
}

function readBundle(script: string): Bundle {
  const text = recordCalls(script)
  // unless it minifies, esbuild writes the path of each module in a comment before it
  const modules = [...text.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)]
  const functions = findFunctions(text).map((one) => {
    const file = modules.findLast(({ index }) => index <= one.start)?.[1] ?? ''
    return { ...one, file }
  })
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return {
    text,
    functions,
    functionAt(line, column) {
      const offset = (starts[line - 1] ?? 0) + column - 1
      return functions.findLastIndex(({ start, end }) => start <= offset && offset < end)
    },
  }
}
