import { readFile, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { planMainModule } from '../../../src/cli/add/module-changes.ts'
import { planWrangler, readConfig } from '../../../src/cli/add/wrangler-changes.ts'
import { type TemporaryProject, createTemporaryProject } from '../build/temporary-project.ts'
import { runHelve } from './run-helve.ts'

const date = 'compatibility_date = "2026-11-02"\n'
const toml = `# mine\nname = "shop"\nmain = "index.ts" # the module\n${date}`
const plain = `export default {
  async fetch(request, env, ctx) {
    return new Response('mine')
  },
} satisfies ExportedHandler
`

const createWorkerProject = (main: string, config: string = toml): Promise<TemporaryProject> =>
  createTemporaryProject({ 'index.ts': main, 'wrangler.toml': config })

const planShop = (project: TemporaryProject) =>
  planMainModule(project, { main: 'index.ts', name: 'shop' })

/** Plans the configuration of wrangler, and again after the changes were written. */
async function planConfig(project: TemporaryProject) {
  const plan = await planWrangler(project, await readConfig(project))
  const after = plan.changes[0]?.after ?? null
  if (after !== null) await project.write({ [basename(project.config)]: after })
  const again = await planWrangler(project, await readConfig(project))
  return { after, advice: plan.advice, again }
}

/** The lines of a text that another one has not, and those that only the other one has. */
function compare(before: string, after: string) {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const isOwn = (line: string): boolean => !['', '}'].includes(line.trim())
  return {
    added: now.filter((line) => isOwn(line) && !old.includes(line)).map((line) => line.trim()),
    gone: old.filter((line) => !now.includes(line)).map((line) => line.trim()),
  }
}

const declarations = [
  "import { createWorker } from 'helve'",
  "import { registry } from './.helve/registry.ts'",
  "const worker = createWorker({ name: 'shop', version: '0.1.0', registry, limit: 'CALLS' })",
  '// Cloudflare finds Durable Objects, and the entrypoint with the cache, by these names',
  'export const { Handles, Hub, Bridge, Listings } = worker',
]

const check = [
  '/** The endpoint of the MCP server, its lists, and the metadata with which clients sign in. */',
  'function isForMcp(request: Request): boolean {',
  'const { pathname } = new URL(request.url)',
  String.raw`return /^\/(mcp|\.well-known\/oauth-protected-resource)(\/|$)/.test(pathname)`,
]

const toRoutes = (route: string): readonly string[] =>
  ['/mcp/*', '/.well-known/oauth-protected-resource/*'].map((path) => route.replace('PATH', path))

const isForMcp = 'if (isForMcp(request)) return worker.fetch(request, env, ctx)'

test.each<[string, string, readonly string[], readonly string[]]>([
  ['an object with fetch', plain, [isForMcp, ...check], []],
  [
    'fetch with one parameter',
    plain.replace(', env, ctx', ''),
    ['async fetch(request, env, ctx) {', isForMcp, ...check],
    ['async fetch(request) {'],
  ],
  [
    'fetch with types of its own',
    'interface Own {}\n' +
      plain
        .replace('request, env, ctx', 'request: Request, own: Own')
        .replace(' satisfies ExportedHandler', ''),
    [
      'async fetch(request: Request, own: Own, ctx: ExecutionContext) {',
      'if (isForMcp(request)) return worker.fetch(request, own, ctx)',
      ...check,
    ],
    ['async fetch(request: Request, own: Own) {'],
  ],
  [
    'an arrow function without parameters',
    `const handler: ExportedHandler = {\n  fetch: () => {\n    return new Response('mine')\n  },\n}\n\nexport default handler\n`,
    ['fetch: (request: Request, env: unknown, ctx: ExecutionContext) => {', isForMcp, ...check],
    ['fetch: () => {'],
  ],
  [
    'itty-router',
    `import { AutoRouter } from 'itty-router'\n\nconst router = AutoRouter()\n\nrouter.all('*', () => 'mine')\n\nexport default router\n`,
    toRoutes("router.all('PATH', (request, env, ctx) => worker.fetch(request, env, ctx))"),
    [],
  ],
  [
    'Hono in an object',
    `import { Hono } from 'hono'\n\nconst app = new Hono({\n  strict: false,\n})\n\napp.all('*', (c) => c.text('mine'))\n\nexport default { fetch: app.fetch }\n`,
    toRoutes("app.all('PATH', (c) => worker.fetch(c.req.raw, c.env, c.executionCtx))"),
    [],
  ],
])('adds a server to a module with %s', async (_, main, added, gone) => {
  const project = await createWorkerProject(main)
  const { changes, advice } = await planShop(project)
  expect(advice).toEqual([])
  const after = changes[0]?.after ?? ''
  const compared = compare(main, after)
  expect(compared).toEqual({ added: expect.arrayContaining([...declarations, ...added]), gone })
  expect(compared.added).toHaveLength(declarations.length + added.length)
  await project.write({ 'index.ts': after })
  expect(await planShop(project)).toEqual({ changes: [], advice: [] })
})

test.each([
  ['a class', `export default class {\n  fetch() {\n    return new Response('mine')\n  }\n}\n`],
  ['a destructured parameter', plain.replace('request,', '{ url },')],
  ['a body in one line', `export default { fetch() { return new Response('mine') } }\n`],
  [
    'fetch of another object',
    `const own = {\n  fetch() {\n    return 1\n  },\n}\nexport default { own }\n`,
  ],
  [
    'fetch in a member',
    `export default {\n  own: {\n    fetch() {\n      return 1\n    },\n  },\n}\n`,
  ],
  ['a class with a name of Helve', `export class Hub {}\n${plain}`],
  [
    'a base path',
    `import { Hono } from 'hono'\nconst app = new Hono().basePath('/api')\nexport default app\n`,
  ],
  [
    'an app that it does not export',
    `import { Hono } from 'hono'\nconst app = new Hono()\nexport default { app }\n`,
  ],
  ['code in a text', `export const text = \`\n${plain}\`\nexport default class {}\n`],
  ['a syntax error', `${plain}const const = 1\n`],
])('leaves alone a module with %s, and prints what to add', async (_, main) => {
  const { changes, advice } = await planShop(await createWorkerProject(main))
  expect(changes).toEqual([])
  expect(advice).toEqual([
    expect.stringContaining('index.ts is not one of the forms that are understood'),
  ])
  expect(advice[0]).toContain("    import { registry } from './.helve/registry.ts'\n")
  expect(advice[0]).toContain('    export const { Handles, Hub, Bridge, Listings } = worker')
})

test('a module whose lines end as on Windows keeps these ends', async () => {
  const main = plain.replaceAll('\n', '\r\n')
  const { changes } = await planShop(await createWorkerProject(main))
  expect(changes[0]?.after).toContain(`${isForMcp}\r\n`)
  expect(changes[0]?.after).not.toMatch(/[^\r]\n/)
})

test('names of the module are not declared a second time', async () => {
  const main = `const worker = 1\n\n${plain}export const one = worker\n`
  const { changes } = await planShop(await createWorkerProject(main))
  expect(changes[0]?.after).toContain('export const { Handles, Hub, Bridge, Listings } = mcpWorker')
})

test('adds sections at the end of wrangler.toml, and leaves its text as it was', async () => {
  const own = `${toml}\n[[migrations]]\ntag = "v1"\nnew_sqlite_classes = ["Own"] # mine\n\n[vars]\nA = "1"`
  const { after, advice, again } = await planConfig(await createWorkerProject(plain, own))
  expect(advice).toEqual([])
  expect(again).toEqual({ changes: [], advice: [] })
  const text = after ?? ''
  expect(text.startsWith(`${own}\n\n#`)).toBe(true)
  expect(text).toContain('tag = "v2"\nnew_sqlite_classes = ["Handles", "Hub", "Bridge"]\n')
  expect(text).toContain('[build]\ncommand = "npx helve build"\nwatch_dir = ["tools"]\n')
})

test.each([
  [
    'migrations in one line',
    `${toml}migrations = [{ tag = "v1", new_sqlite_classes = ["Own"] }]\n`,
    'tag = "v2"',
  ],
  ['a cache', `${toml}[cache]\nenabled = true\n`, '[exports.default]'],
  [
    'a build',
    `${toml}[build]\ncommand = "npm run css"\n`,
    'command = "npm run css && npx helve build"',
  ],
  ['environments', `${toml}[env.staging]\n`, '[[env.staging.ratelimits]]'],
])('leaves alone %s in wrangler.toml, and prints the lines', async (_, own, line) => {
  const { after, advice } = await planConfig(await createWorkerProject(plain, own))
  expect(advice.join('\n')).toContain(line)
  expect((after ?? own).startsWith(own)).toBe(true)
})

const members = '"name": "shop",\n  "main": "index.ts",\n  "compatibility_date": "2026-11-02"'

test.each([
  ['comments', `{\n  // mine\n  ${members} // the date\n  // the end\n}\n`],
  ['a trailing comma', `{\n  ${members}, // the date\n}\n`],
  [
    'a list',
    `{\n  ${members},\n  "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Own"] }]\n}\n`,
  ],
  ['an empty list', `{\n  "migrations": [],\n  ${members}\n}\n`],
  ['Windows', `{\n  // mine\n  ${members}\n}\n`.replaceAll('\n', '\r\n')],
])('adds members to wrangler.jsonc with %s', async (_, own) => {
  const files = { 'index.ts': plain, 'wrangler.jsonc': own }
  const { after, advice, again } = await planConfig(await createTemporaryProject(files))
  expect({ advice, again }).toEqual({ advice: [], again: { changes: [], advice: [] } })
  for (const comment of own.match(/\/\/.*/g) ?? []) expect(after).toContain(comment.trim())
  const isWindows = own.includes('\r\n')
  expect(/[^\r]\n/.test(after ?? '')).toBe(!isWindows)
})

test('the build command and the imports have the folders of the command line', async () => {
  const project = await createWorkerProject(plain)
  const args = ['--tools', 'mcp/tools', '--out', 'mcp/.helve']
  expect(await runHelve(project.root, ['add', '--yes', ...args])).toMatchObject({ code: 0 })
  const read = (file: string): Promise<string> => readFile(join(project.root, file), 'utf8')
  expect(await read('wrangler.toml')).toContain(
    'command = "npx helve build --tools mcp/tools --out mcp/.helve"\nwatch_dir = ["mcp/tools"]\n',
  )
  expect(await read('index.ts')).toContain("from './mcp/.helve/registry.ts'")
  expect(await read('.gitignore')).toBe('mcp/.helve/\n')
  expect(await read('mcp/tools/count_words.ts')).toContain('defineTool')
})

test('without a terminal it shows the changes, writes nothing, and says so', async () => {
  const project = await createWorkerProject(plain)
  const before = await readdir(project.root)
  const { code, stdout, stderr } = await runHelve(project.root, ['add'])
  expect(code).toBe(1)
  expect(stdout).toContain('tools/count_words.ts (new)\n+ import { defineTool } from')
  expect(stderr).toBe(
    'helve: nothing was written, because there is no terminal to ask. Run `helve add --yes`.\n',
  )
  const after = await readdir(project.root)
  // the build keeps what it read of the configuration
  expect(after.filter((name) => name !== '.helve')).toEqual(before)
})

test('tools that are there are kept, and a configuration without `main` is not guessed', async () => {
  const own = { 'tools/mine.ts': 'export default 1\n', 'wrangler.toml': date }
  const project = await createTemporaryProject(own)
  const { code, stdout } = await runHelve(project.root, ['add'])
  expect(code).toBe(1)
  expect(stdout).toContain('has no `main`')
  expect(stdout).not.toContain('count_words')
})

test('a tsconfig.json by which files are written is not decided about', async () => {
  const tsconfig = '{ "compilerOptions": { "outDir": "dist" }, "include": ["index.ts"] }\n'
  const project = await createWorkerProject(plain)
  await project.write({ 'tsconfig.json': tsconfig })
  const { code, stdout } = await runHelve(project.root, ['add', '--yes'])
  expect(code).toBe(1)
  expect(stdout).toContain('    "rewriteRelativeImportExtensions": true,')
  expect(await readFile(join(project.root, 'tsconfig.json'), 'utf8')).toBe(
    '{ "compilerOptions": { "outDir": "dist" }, "include": ["index.ts", "tools", ".helve"] }\n',
  )
})
