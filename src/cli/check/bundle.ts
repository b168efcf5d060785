import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CliError } from '../../build/errors.ts'
import { type Project, toRelative } from '../../build/project.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { runWrangler, toWranglerError } from '../run-wrangler.ts'

/** What wrangler would upload. */
export interface WorkerBundle {
  /** In bytes, without source maps. */
  readonly size: number
  readonly compressedSize: number
  /** The modules in the bundle, by their path from the project's root. */
  readonly modules: ReadonlyMap<string, BundledModule>
  /** The upload as one file, for `wrangler check startup`. */
  readonly upload: string
  /** The source map of the main module, as JSON. */
  readonly sourceMap: string
  readonly remove: () => Promise<void>
}

export interface BundledModule {
  readonly size: number
  /** The modules that it imports, with `import()` too. */
  readonly imports: readonly string[]
}

/**
 * Bundles the Worker as a deploy does, which also runs the build command.
 *
 * @throws {CliError} if wrangler cannot bundle it.
 */
export async function bundleWorker({ root, config, environment }: Project): Promise<WorkerBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-bundle-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const files = { out: join(folder, 'out'), meta: join(folder, 'meta.json') }
    const upload = join(folder, 'worker.bundle')
    const { exitCode, output } = await runWrangler(root, [
      'deploy',
      '--dry-run',
      `--config=${toRelative(root, config)}`,
      `--env=${environment ?? ''}`,
      `--outdir=${files.out}`,
      `--outfile=${upload}`,
      `--metafile=${files.meta}`,
    ])
    if (exitCode !== 0) throw new CliError(`wrangler cannot bundle it: ${toWranglerError(output)}`)
    const contents = await readUploaded(files.out)
    const metafile: unknown = JSON.parse(await readFile(files.meta, 'utf8'))
    return {
      size: sum(contents.map(({ length }) => length)),
      compressedSize: sum(contents.map((content) => gzipSync(content).length)),
      modules: readModules(metafile, (path) => toRelative(root, resolve(dirname(config), path))),
      upload,
      sourceMap: await readSourceMap(files.out),
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function readUploaded(folder: string): Promise<readonly Buffer[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const uploaded = names.filter(
    (entry) => entry.isFile() && !/\.map$|^README\.md$/.test(entry.name),
  )
  return Promise.all(uploaded.map(({ parentPath, name }) => readFile(join(parentPath, name))))
}

async function readSourceMap(folder: string): Promise<string> {
  const map = (await readdir(folder)).find((name) => name.endsWith('.map'))
  return map === undefined ? '' : readFile(join(folder, map), 'utf8')
}

/** Reads esbuild's description of the bundle, whose paths start at the folder of the configuration. */
function readModules(
  metafile: unknown,
  toFile: (path: string) => string,
): ReadonlyMap<string, BundledModule> {
  const { inputs, outputs } = isJsonObject(metafile) ? metafile : {}
  const sizes = Object.values(Object(outputs)).flatMap((output): [string, unknown][] =>
    Object.entries(Object(isJsonObject(output) ? output['inputs'] : {})),
  )
  return new Map(
    sizes.map(([path, input]) => {
      const source: unknown = Object(inputs)[path]
      const imported: readonly unknown[] = Object(source).imports ?? []
      return [
        toFile(path),
        {
          size: Number(Object(input).bytesInOutput ?? 0),
          imports: imported.flatMap((one) =>
            isJsonObject(one) && typeof one['path'] === 'string' ? [toFile(one['path'])] : [],
          ),
        },
      ] as const
    }),
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

/** Returns a size for people. */
export function toSizeText(bytes: number): string {
  const kibibytes = bytes / 1024
  return kibibytes < 1024 ? `${kibibytes.toFixed(1)} KiB` : `${(kibibytes / 1024).toFixed(2)} MiB`
}
