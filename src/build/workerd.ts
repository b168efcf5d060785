import type { OutputFile } from 'esbuild'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import type { WranglerConfig } from './wrangler-config.ts'

/** How a run of workerd went. */
export interface Run {
  readonly stdout: string
  readonly stderr: string
  readonly end: 'done' | 'failed' | 'timed out'
}

// a Worker has one second to start; this is for busy machines
const timeout = 10_000
const maxBuffer = 256 * 1024 * 1024

/**
 * Runs the `test` handler of the first of these modules in workerd. workerd itself, for the sake of
 * time: it has loaded, run and gone before miniflare, which wraps it, is imported (40 ms, 700 ms).
 */
export async function runWorkerd(
  files: readonly OutputFile[],
  config: WranglerConfig,
): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-'))
  try {
    const paths = files.map(({ path }) => path)
    const text = toWorkerdConfig(paths, config, workerdBinary.compatibilityDate)
    const start = join(folder, 'workerd.capnp')
    await Promise.all([
      writeFile(start, text),
      ...files.map(({ path, contents }) => writeFile(join(folder, basename(path)), contents)),
    ])
    return await run(start)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function run(start: string): Promise<Run> {
  const limits = { timeout, maxBuffer, killSignal: 'SIGKILL' } as const
  return new Promise((done) => {
    execFile(workerdBinary.default, ['test', start], limits, (error, stdout, stderr) => {
      const end = error === null ? 'done' : error.killed === true ? 'timed out' : 'failed'
      done({ stdout, stderr, end })
    })
  })
}

/** The workerd that is installed. */
const workerdBinary: {
  /** Its path. */
  readonly default: string
  /** The newest compatibility date that it knows. */
  readonly compatibilityDate: string
  // a CommonJS module with a `default` of its own, which loaders disagree about how to import
} = createRequire(import.meta.url)('workerd')

/**
 * Writes the configuration of a workerd that holds these modules and reaches nothing. `newest` is
 * the last compatibility date that this workerd knows; like `wrangler dev`, the build goes no further.
 */
export function toWorkerdConfig(
  files: readonly string[],
  { compatibilityDate, compatibilityFlags, moduleTypes }: WranglerConfig,
  newest: string,
): string {
  const modules = files.map((file) => {
    const type = moduleTypes.get(extname(file)) ?? 'esModule'
    return `(name = ${quote(basename(file))}, ${type} = embed ${quote(basename(file))})`
  })
  const date = compatibilityDate < newest ? compatibilityDate : newest
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "tools", worker = (
      modules = [${modules.join(', ')}],
      compatibilityDate = ${quote(date)},
      compatibilityFlags = [${compatibilityFlags.map(quote).join(', ')}]
    )),
    (name = "internet", network = (allow = []))
  ]
);
`
}

function quote(text: string): string {
  return JSON.stringify(text)
}
