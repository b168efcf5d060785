import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { ModuleRule, WranglerConfig } from './wrangler-config.ts'
import { findWorkerd } from './wrangler-packages.ts'

export interface WorkerdRun {
  /** The lines that start with the marker, without it: modules may print lines of their own. */
  readonly lines: readonly string[]
  /** The end of what it printed about errors. */
  readonly stderr: string
  readonly end: 'done' | 'failed' | 'timed out'
}

export interface WorkerModule {
  readonly path: string
  readonly contents: Uint8Array
  readonly type: ModuleRule['type'] | 'ESModule' | 'Json'
}

// a Worker has one second to start: ten are for busy machines
export const timeoutSeconds = 10

/**
 * Runs the `test` handler of the first of these modules in the workerd of the project in `root`. It starts workerd itself because that takes
 * 40 ms, while importing miniflare alone takes 700.
 */
export async function runWorkerd(
  root: string,
  modules: readonly WorkerModule[],
  config: WranglerConfig,
  marker: string,
): Promise<WorkerdRun> {
  const workerd = findWorkerd(root)
  const folder = await mkdtemp(join(tmpdir(), 'helve-'))
  try {
    const path = join(folder, 'workerd.capnp')
    await Promise.all([
      writeFile(path, toWorkerdConfig(modules, config, workerd.compatibilityDate)),
      ...modules.map(({ path, contents }) => writeFile(join(folder, basename(path)), contents)),
    ])
    return await start(workerd.default, path, marker)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function start(binary: string, config: string, marker: string): Promise<WorkerdRun> {
  // wrangler too allows the flags of experiments
  const args = ['test', '--experimental', config]
  const workerd = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines = new MarkedLines(marker)
  let stderr = ''
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    workerd.kill('SIGKILL')
  }, timeoutSeconds * 1000)
  workerd.stdout.setEncoding('utf8').on('data', (chunk: string) => lines.add(chunk))
  workerd.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-stderrLength)
  })
  return new Promise((done, fail) => {
    workerd.on('error', fail)
    workerd.on('close', (code) => {
      clearTimeout(timer)
      done({
        lines: lines.all,
        stderr,
        end: timedOut ? 'timed out' : code === 0 ? 'done' : 'failed',
      })
    })
  })
}

const stderrLength = 4000

/** Keeps the lines that start with a marker, and no more than the start of any other. */
class MarkedLines {
  readonly all: string[] = []
  #line = ''
  readonly #marker: string

  constructor(marker: string) {
    this.#marker = marker
  }

  add(chunk: string): void {
    const [first = '', ...others] = chunk.split('\n')
    this.#append(first)
    for (const line of others) {
      if (this.#line.startsWith(this.#marker)) this.all.push(this.#line.slice(this.#marker.length))
      this.#line = ''
      this.#append(line)
    }
  }

  #append(text: string): void {
    const isOther = this.#line.length >= this.#marker.length && !this.#line.startsWith(this.#marker)
    if (!isOther) this.#line += text
  }
}

const moduleTypes: Readonly<Record<WorkerModule['type'], string>> = {
  ESModule: 'esModule',
  Json: 'json',
  Text: 'text',
  Data: 'data',
  CompiledWasm: 'wasm',
}

/**
 * Writes the configuration of a workerd without network access that runs these modules. A
 * compatibility date after `newest`, the newest that workerd supports, is replaced by it, as
 * `wrangler dev` does.
 */
export function toWorkerdConfig(
  modules: readonly Pick<WorkerModule, 'path' | 'type'>[],
  { compatibilityDate, compatibilityFlags, env }: WranglerConfig,
  newest: string,
): string {
  const files = modules.map(({ path, type }) => {
    const name = quote(basename(path))
    return `(name = ${name}, ${moduleTypes[type]} = embed ${name})`
  })
  const all = Object.entries({ ...env.secrets, ...env.vars })
  // two bindings of one name would keep workerd from starting
  const texts = all.filter(([name]) => !Object.hasOwn(env.bindings, name))
  const values = texts.map(([name, value]) => {
    const member = typeof value === 'string' ? 'text' : 'json'
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `(name = ${quote(name)}, ${member} = ${quote(text)})`
  })
  const bindings = Object.entries(env.bindings).map(
    ([name, type]) => `(name = ${quote(name)}, ${type})`,
  )
  const date = compatibilityDate < newest ? compatibilityDate : newest
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "tools", worker = (
      modules = [${files.join(', ')}],
      bindings = [${[...values, ...bindings].join(', ')}],
      compatibilityDate = ${quote(date)},
      compatibilityFlags = [${compatibilityFlags.map(quote).join(', ')}]
    )),
    (name = "internet", network = (allow = []))
  ],
  extensions = [
    (modules = [(name = "cloudflare-internal:email", internal = true, esModule = ${quote(email)})])
  ]
);
`
}

/** What `cloudflare:email` needs: workerd has only the module that imports it. */
const email = `export default {
  EmailMessage: class EmailMessage {
    constructor(from, to) {
      Object.assign(this, { from, to })
    }
  },
}`

/** Quotes a text for Cap'n Proto, byte by byte: it knows no escape such as that of JSON for U+2028. */
function quote(text: string): string {
  const bytes = [...Buffer.from(text)]
  const escaped = bytes.map((byte) => {
    const character = String.fromCharCode(byte)
    return /[\w .,:;/@+-]/.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`
  })
  return `"${escaped.join('')}"`
}
