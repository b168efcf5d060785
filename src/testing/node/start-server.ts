/**
 * A Worker for tests in Node.
 *
 * @example
 * const server = await startServer()
 * const client = connect(server, { caller: 'ada' })
 *
 * @module
 */

import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readWranglerConfig } from '../../build/wrangler-config.ts'
import { findWranglerFile, readWranglerFile } from '../../build/wrangler-file.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { type FakeCaller } from '../fake-caller.ts'
import { controlHeaders, type TestServer } from '../test-server.ts'
import { createHarness } from './wrangler-harness.ts'

export type { PrintedLine, TestServer } from '../test-server.ts'

export interface StartServerOptions {
  /** The folder of the project; by default the current one. */
  readonly root?: string
  /** The configuration of wrangler; by default the one in `root`. */
  readonly config?: string
  /** Vars besides those of the configuration. */
  readonly vars?: JsonObject
  /** Secrets besides those of `.dev.vars`. */
  readonly secrets?: Readonly<Record<string, string>>
  /** Whether the build command of the configuration runs first; true by default. */
  readonly build?: boolean
  /** The path of the endpoint, if it is not `/mcp`. */
  readonly endpoint?: `/${string}`
}

/**
 * Bundles the Worker of a project with its own wrangler, and runs it in workerd with local bindings: Durable
 * Objects, KV, D1, R2 and what else the configuration has. Its storage is empty, and gone when it closes.
 *
 * @throws {Error} if the build fails, or if the project has no wrangler with `createTestHarness`.
 */
export async function startServer<Definitions = unknown>(
  options: StartServerOptions = {},
): Promise<TestServer<Definitions>> {
  const { root: given = process.cwd(), vars = {}, secrets = {}, endpoint = '/mcp' } = options
  const file =
    options.config === undefined ? findWranglerFile(given) : resolve(given, options.config)
  const root = dirname(file)
  const cache = join(root, 'node_modules/.cache/helve')
  const { build, ...config } = await readWranglerFile(file, cache)
  if (options.build !== false) await runBuild(root, build)
  const { main, declaredClasses } = readWranglerConfig(config)
  if (main === null) throw new Error(`${file} has no \`main\`, so there is no Worker to start.`)
  const key = crypto.randomUUID()
  const folder = join(cache, key)
  await mkdir(folder, { recursive: true })
  const entry = join(folder, 'entry.js')
  await writeFile(entry, toEntry(resolve(root, main), declaredClasses, key))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  const harness = await createHarness(root, { ...config, main: entry }, { vars, secrets }).catch(
    async (error: unknown) => {
      await remove()
      throw error
    },
  )
  const send = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(new URL(path, harness.url), init)
  return {
    ...harness,
    endpoint: new URL(endpoint, harness.url).href,
    fetch: send,
    toCallerHeaders: (caller: FakeCaller) => ({
      [controlHeaders.key]: key,
      [controlHeaders.caller]: JSON.stringify(caller),
    }),
    async advance(by) {
      const headers = { [controlHeaders.key]: key, [controlHeaders.advance]: by }
      const response = await send('/', { headers })
      if (!response.ok) throw new Error(`The time was not moved: ${await response.text()}`)
    },
    async close() {
      await harness.close()
      await remove()
    },
  }
}

/** Runs the build command of the configuration, such as `npx helve build`. */
async function runBuild(root: string, build: unknown): Promise<void> {
  const { command, cwd } = isJsonObject(build) ? build : {}
  if (typeof command !== 'string') return
  const path = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  const folder = typeof cwd === 'string' ? resolve(root, cwd) : root
  // a shell, as wrangler runs it: the command is the author's own configuration
  await promisify(execFile)(command, {
    cwd: folder,
    shell: true,
    env: { ...process.env, PATH: path },
  }).catch((error: unknown) => {
    const { stdout, stderr } = Object(error)
    throw new Error(`The build failed: ${command}\n${stdout}${stderr}`, { cause: error })
  })
}

/** The main module of the bundle: the author's, with a default export that obeys the test. */
function toEntry(main: string, classes: readonly string[], key: string): string {
  const beside = join(import.meta.dirname, `server-entry${extname(import.meta.filename)}`)
  const objects = classes.map(
    (name) => `export const ${name} = withDueAlarm(${JSON.stringify(name)}, main.${name})`,
  )
  return `import * as main from ${JSON.stringify(main)}
import { toTestedExport, withDueAlarm } from ${JSON.stringify(beside)}
export * from ${JSON.stringify(main)}
${objects.join('\n')}
export default toTestedExport(main.default, ${JSON.stringify(key)})
`
}
