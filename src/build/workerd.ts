import type { OutputFile } from 'esbuild'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import type { WranglerConfig } from './wrangler-config.ts'

export interface WorkerdRun {
  readonly stdout: string
  readonly stderr: string
  readonly end: 'done' | 'failed' | 'timed out'
}

// a Worker has one second to start: ten are for busy machines
export const timeoutSeconds = 10
const maxBuffer = 256 * 1024 * 1024

/**
 * Runs the `test` handler of the first of these modules. It starts workerd itself because that takes
 * 40 ms, while importing miniflare alone takes 700.
 */
export async function runWorkerd(
  files: readonly OutputFile[],
  config: WranglerConfig,
): Promise<WorkerdRun> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-'))
  try {
    const paths = files.map(({ path }) => path)
    const text = toWorkerdConfig(paths, config, workerdBinary.compatibilityDate)
    const path = join(folder, 'workerd.capnp')
    await Promise.all([
      writeFile(path, text),
      ...files.map(({ path, contents }) => writeFile(join(folder, basename(path)), contents)),
    ])
    return await start(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function start(config: string): Promise<WorkerdRun> {
  const limits = { timeout: timeoutSeconds * 1000, maxBuffer, killSignal: 'SIGKILL' } as const
  return new Promise((done) => {
    execFile(workerdBinary.default, ['test', config], limits, (error, stdout, stderr) => {
      const end = error === null ? 'done' : error.killed === true ? 'timed out' : 'failed'
      done({ stdout, stderr, end })
    })
  })
}

const workerdBinary: {
  readonly default: string
  /** The newest compatibility date that it supports. */
  readonly compatibilityDate: string
  // a CommonJS module with a `default` of its own, which loaders disagree about how to import
} = createRequire(import.meta.url)('workerd')

/**
 * Writes the configuration of a workerd without network access that runs these modules. A
 * compatibility date after `newest`, the newest that workerd supports, is replaced by it, as
 * `wrangler dev` does.
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
