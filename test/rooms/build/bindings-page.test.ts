import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTemporaryProject, type TemporaryProject } from './temporary-project.ts'
import { runHelve } from '../../support/run-helve.ts'
import { readModules } from '../../support/doc-modules.ts'
import { toModernRequest } from '../../support/modern-request.ts'
import { quiet, startWranglerDev, type WranglerDev } from '../../support/wrangler-dev.ts'

/*
 * docs/bindings.md, run as it stands, where the platform has a local counterpart: D1, KV, R2 and Queues.
 * Workers AI and Vectorize have none, and Hyperdrive would need a PostgreSQL server: their tools are built.
 */

const root = join(import.meta.dirname, '../../..')
const helve = join(root, 'src/cli/helve.ts')
const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')

let project: TemporaryProject
let server: WranglerDev
let token: string
const endings: (() => Promise<void>)[] = []

beforeAll(async () => {
  project = await createTemporaryProject(await readPage(), (remove) => endings.push(remove))
  await wranglerCommand('d1', 'execute', 'shop', '--command', tables)
  await project.write({ 'july.md': '# July' })
  await wranglerCommand('r2', 'object', 'put', 'reports/july.md', '--file', 'july.md')
  const args = ['token', 'ada', '--scopes', 'reports:read']
  token = (await runHelve(project.root, args)).stdout.trim()
  server = await startWranglerDev({ cwd: project.root, persist: join(project.root, 'state') })
}, 120_000)
afterAll(async () => {
  await server?.stop()
  await Promise.all(endings.map((end) => end()))
})

const tables =
  "CREATE TABLE orders (id TEXT, customer TEXT, total REAL); INSERT INTO orders VALUES ('o1', 'ada', 24.9), ('o2', 'bob', 9)"

/** The modules and the configuration of the page. Only the authentication is added. */
async function readPage(): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(root, 'docs/bindings.md'), 'utf8')
  const modules = readModules({ path: 'docs/bindings.md', text })
  const sections = [...text.matchAll(/^```toml\n(.*?)^```$/gms)].map(([, section = '']) => section)
  const local = sections
    .filter((section) => !/^\[ai\]|^\[\[vectorize\]\]/m.test(section))
    .map((section) => section.replace(/^compatibility_flags.*\n/m, ''))
  return {
    ...Object.fromEntries(modules.map(({ file, text }) => [file, withAuth(text)])),
    'wrangler.toml': `name = "page"
main = "src/worker.ts"
compatibility_date = "2026-11-02"
compatibility_flags = ["enable_request_signal"]
[build]
command = '"${process.execPath}" "${helve}" build'
watch_dir = "tools"
[[migrations]]
tag = "v1"
new_sqlite_classes = ["Handles", "Hub", "Bridge"]
${local.join('\n')}`,
  }
}

function withAuth(text: string): string {
  return text
    .replace("import { createWorker } from 'helve'", "$&\nimport { jwt } from 'helve/auth/jwt'")
    .replace(', registry })', ", registry, auth: jwt({ issuer: 'https://auth.example' }) })")
}

async function wranglerCommand(...args: readonly string[]): Promise<string> {
  const all = [wrangler, ...args, '--local', '--persist-to', 'state']
  const env = { ...process.env, ...quiet }
  return (await promisify(execFile)(process.execPath, all, { cwd: project.root, env })).stdout
}

interface Params {
  readonly name?: string
  readonly uri?: string
  readonly arguments?: object
}

async function ask(method: string, params: Params) {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'application/json' }
  const named = params.uri === undefined ? {} : { 'Mcp-Name': params.uri }
  const changes = { headers: { ...headers, ...named } }
  const response = await fetch(toModernRequest(`${server.url}/mcp`, method, params, changes))
  return JSON.parse(await response.text()).result
}

const call = (name: string, input: object) => ask('tools/call', { name, arguments: input })

it('D1: a caller sees their own orders', async () => {
  expect((await call('find_orders', {})).structuredContent).toEqual({
    orders: [{ id: 'o1', total: 24.9 }],
  })
})

it('KV: a note is stored under its caller', async () => {
  const { content } = await call('remember', { topic: 'knives', text: 'Hone them often.' })
  expect(content[0].text).toContain('Remembered.')
  const key = JSON.stringify(['ada', 'knives'])
  expect(await wranglerCommand('kv', 'key', 'get', key, '--binding', 'NOTES', '--text')).toContain(
    'Hone them often.',
  )
})

it('R2: a report is listed and read, and an unknown one is not found', async () => {
  expect((await ask('resources/list', {})).resources).toMatchObject([{ uri: 'reports://july' }])
  const { contents } = await ask('resources/read', { uri: 'reports://july' })
  expect(contents).toMatchObject([{ text: '# July', mimeType: 'text/markdown' }])
  expect(await ask('resources/read', { uri: 'reports://june' })).toBeUndefined()
})

it('Queues: the consumer receives the mail', async () => {
  await call('send_mail', { subject: 'Knife', text: 'It is blunt.' })
  // a batch of one waits for others first
  await expect.poll(() => readFile(server.log, 'utf8')).toContain("subject: 'Knife'")
})
