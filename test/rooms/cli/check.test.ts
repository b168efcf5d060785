import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createTemporaryProject, toolSource } from '../build/temporary-project.ts'
import { helve, runHelve } from '../../support/run-helve.ts'

const asking = toolSource(
  "output: z.object({}), ask: () => ({ sure: form('Sure?', z.object({ yes: z.boolean() })) }), run: () => ({}),",
  "import { form } from 'helve'",
)
const exports = 'export const { Handles, Hub, Bridge, Listings } = worker\n'
const workerSource = (options = '', end = exports): string =>
  `import { createWorker } from 'helve'
import { registry } from '../.helve/registry'

const worker = createWorker({ name: 'shop', version: '1.0.0', registry, ${options} })
${end}export default worker
`
const classes = ['Handles', 'Hub', 'Bridge']
const command = `node ${helve} build`
/** What Cloudflare's templates have, with what Helve needs. */
const config = {
  $schema: 'node_modules/wrangler/config-schema.json',
  name: 'shop',
  main: 'src/index.ts',
  compatibility_date: '2026-11-02',
  observability: { enabled: true },
  build: { command, watch_dir: ['src', 'tools'] },
  migrations: [{ tag: 'v1', new_sqlite_classes: classes }],
}
const toJson = (value: unknown): string => `${JSON.stringify(value, null, '\t')}\n`
const shop = {
  'wrangler.toml': '',
  'wrangler.jsonc': toJson(config),
  'src/index.ts': workerSource(),
  'tools/ask.ts': asking,
}

interface Found {
  readonly code: string
  readonly file: string | null
  readonly message: string
  readonly fixable: boolean
}

/** Runs `helve check --json` and returns what it prints. */
async function check(root: string, ...args: readonly string[]) {
  const { stdout, code } = await runHelve(root, ['check', '--json', ...args])
  const report: { findings: readonly Found[]; fixed: readonly string[] } & Record<string, unknown> =
    JSON.parse(stdout)
  return { code, ...report, codes: report.findings.map((finding) => finding.code) }
}

const quick = ['--only', 'tools,config,metadata']

test('a project without problems is measured', async () => {
  const project = await createTemporaryProject({
    ...shop,
    'tools/large.ts': toolSource('', `export const large = ${JSON.stringify('x'.repeat(50_000))}`),
  })
  const { code, stdout, stderr } = await runHelve(project.root, ['check'])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^helve: 2 tools, no problems\n {2}the Worker has \d+\.\d KiB of 64\.00 MiB, \d+\.\d KiB compressed; what only one tool needs: tools\/large\.ts 4\d\.\d KiB \(\d+%\)/,
  )
  expect(stdout).toMatch(/\n {2}its start takes about \d+ ms of CPU here, and may take 1000 ms/)
  expect(await check(project.root, '--only', 'size')).toMatchObject({
    code: 0,
    findings: [],
    size: { limit: 67_108_864, tools: [{ file: 'tools/large.ts' }, { file: 'tools/ask.ts' }] },
  })
})

test('a project in another folder is measured, with its own tools', async () => {
  const project = await createTemporaryProject({
    'app/wrangler.jsonc': toJson({
      ...config,
      build: {
        command: `${command} --tools app/tools --out app/.helve --config app/wrangler.jsonc`,
      },
    }),
    'app/src/index.ts': workerSource(),
    'app/tools/ask.ts': asking,
  })
  const folders = ['--tools', 'app/tools', '--out', 'app/.helve', '--config', 'app/wrangler.jsonc']
  expect(await check(project.root, '--only', 'size', ...folders)).toMatchObject({
    code: 0,
    size: { tools: [{ file: 'app/tools/ask.ts', share: expect.closeTo(0.24, 1) }] },
  })
})

test('a Worker that wrangler cannot bundle is refused with what the build command says', async () => {
  const build = { ...config.build, command: 'echo "no helve build today"; false' }
  const project = await createTemporaryProject({
    ...shop,
    'wrangler.jsonc': toJson({ ...config, build }),
  })
  expect(await check(project.root, '--only', 'size,startup')).toMatchObject({
    code: 1,
    findings: [
      {
        check: 'size',
        severity: 'error',
        code: 'no-bundle',
        file: 'src/index.ts',
        message: expect.stringMatching(/^wrangler cannot bundle it: .*no helve build today$/s),
      },
    ],
  })
})

test('the slowest module of a start is named', async () => {
  const project = await createTemporaryProject({
    ...shop,
    'src/index.ts': `import { slow } from './slow'\n${workerSource()}export { slow }\n`,
    'src/slow.ts':
      'const fibonacci = (n: number): number => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2))\n' +
      'export const slow = [fibonacci(33)]\n',
  })
  const { stdout } = await runHelve(project.root, ['check', '--only', 'startup'])
  expect(stdout).toMatch(/most of it: src\/slow\.ts \d+ ms/)
})

test('a check that is not one is refused', async () => {
  const { code, stderr } = await runHelve('.', ['check', '--only', 'tools,bundle'])
  expect(code).toBe(2)
  expect(stderr).toBe(
    'helve: "bundle" is not a check. The checks are: tools, config, metadata, types, size, startup.\n',
  )
})

describe('the configuration', () => {
  test('every environment needs the limits that tools use', async () => {
    const limits = [{ name: 'CALLS', namespace_id: '1', simple: { limit: 1, period: 60 } }]
    const project = await createTemporaryProject({
      ...shop,
      'wrangler.jsonc': toJson({
        ...config,
        ratelimits: limits,
        env: { staging: { vars: {} }, production: { ratelimits: limits } },
      }),
      'src/index.ts': workerSource("limit: 'CALLS'"),
      'tools/limited.ts': toolSource("limit: 'CALLS'"),
    })
    const { code, findings } = await check(project.root, ...quick)
    expect(code).toBe(1)
    expect(findings).toEqual([
      {
        check: 'config',
        severity: 'error',
        code: 'missing-limit',
        file: 'wrangler.jsonc',
        line: null,
        message: expect.stringMatching(
          /^In the environment "staging" of wrangler\.jsonc no .* which createWorker, tools\/limited\.ts needs/,
        ),
        fixable: false,
      },
    ])
  })

  test('what an environment says about Workers Cache replaces the top level', async () => {
    const cached = { type: 'worker', cache: { enabled: true } }
    const exports = { default: { type: 'worker', cache: { enabled: false } }, Listings: cached }
    const project = await createTemporaryProject({
      ...shop,
      'wrangler.jsonc': toJson({
        ...config,
        cache: { enabled: true },
        exports,
        env: { a: {}, b: { exports: { default: exports.default }, cache: { enabled: false } } },
      }),
    })
    const { codes, findings } = await check(project.root, ...quick)
    expect(codes).toEqual(['no-cache'])
    expect(findings[0]?.message).toContain('The environment "b" of wrangler.jsonc')
  })

  test.each([
    ['npm run tools', { scripts: { tools: 'helve build --out x' } }, []],
    [
      'npm run tools',
      { scripts: { tools: 'npm run deeper', deeper: 'tsc && npx helve build' } },
      [],
    ],
    ['make', {}, ['no-build-command']],
    ['npm run tools', { scripts: { tools: 'tsc' } }, ['no-build-command']],
  ])('the build command %j with %j', async (line, manifest, codes) => {
    const build = { command: line, watch_dir: '.' }
    const project = await createTemporaryProject({
      ...shop,
      'wrangler.jsonc': toJson({ ...config, build }),
      'package.json': JSON.stringify(manifest),
    })
    expect((await check(project.root, ...quick)).codes).toEqual(codes)
  })
})

describe('`resource`', () => {
  const auth = "auth: jwt({ issuer: 'https://auth.example.com' })"
  test.each([
    [
      { routes: [{ pattern: 'shop.example.com', custom_domain: true }] },
      'https://shop.example.com/mcp',
      [],
    ],
    [{ routes: ['*.example.com/*'] }, 'https://shop.example.com/mcp', []],
    [{ route: 'https://shop.example.com/*' }, 'https://shop.example.com/mcp', []],
    [{}, 'https://shop.example.com/mcp', []],
    [{}, 'https://shop.me.workers.dev/mcp', []],
    [{}, 'https://store.me.workers.dev/mcp', ['is deployed as shop.<subdomain>.workers.dev']],
    [{ workers_dev: false }, 'https://shop.me.workers.dev/mcp', ['does not serve workers.dev']],
    [
      { routes: ['api.example.com/*'] },
      'https://shop.example.com/mcp',
      ['do not reach this Worker'],
    ],
    [
      { routes: ['shop.example.com/mcp*'] },
      'https://shop.example.com/mcp',
      ['do not include https://shop.example.com/.well-known/oauth-protected-resource/mcp'],
    ],
    [{}, 'https://shop.example.com/', ['Write the whole URL of the endpoint']],
  ])('with %j and %j', async (routing, resource, problems) => {
    const project = await createTemporaryProject({
      ...shop,
      'wrangler.jsonc': toJson({ ...config, ...routing }),
      'src/index.ts': `import { jwt } from 'helve/auth/jwt'\n${workerSource(`${auth}, resource: '${resource}'`)}`,
    })
    const { findings } = await check(project.root, '--only', 'metadata')
    const messages = findings.map(({ message }) => message)
    expect(messages).toEqual(problems.map((problem): unknown => expect.stringContaining(problem)))
  })

  test('is compared with the routes of each environment, or of the chosen one', async () => {
    const domain = (pattern: string) => ({ routes: [{ pattern, custom_domain: true }] })
    const project = await createTemporaryProject({
      ...shop,
      'wrangler.jsonc': toJson({
        ...config,
        ...domain('shop.example.com'),
        env: { staging: domain('staging.example.com') },
      }),
      'src/index.ts': workerSource(`auth: null, resource: 'https://shop.example.com/mcp'`),
    })
    const { findings } = await check(project.root, '--only', 'metadata')
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('the environment "staging"'),
    ])
    expect((await check(project.root, '--only', 'metadata', '-e', 'staging')).codes).toHaveLength(1)
  })
})

const formats = [
  [
    'wrangler.jsonc',
    `{
\t"name": "shop", // the name
\t"main": "src/index.ts",
\t"compatibility_date": "2026-11-02",
\t"cache": { "enabled": true },
\t"migrations": [
\t\t{ "tag": "v1", "new_sqlite_classes": ["Handles", "Hub"] }, // first
\t],
\t"env": {
\t\t"staging": { "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Hub"] }] }
\t}
}
`,
  ],
  [
    'wrangler.toml',
    `name = "shop" # the name
main = "src/index.ts"
compatibility_date = "2026-11-02"

[cache]
enabled = true

[[migrations]] # first
tag = "v1"
new_sqlite_classes = ["Handles", "Hub"]

[[env.staging.migrations]]
tag = "v1"
new_sqlite_classes = ["Hub"]
`,
  ],
] as const

describe('--fix', () => {
  test.each(formats)('mends %s and the modules, once', async (file, text) => {
    const project = await createTemporaryProject({
      ...shop,
      'wrangler.jsonc': '',
      [file]: text,
      'src/index.ts': `import { optional } from 'helve/access/optional'
import { jwt } from 'helve/access/jwt'
${workerSource("auth: optional(jwt({ issuer: 'https://auth.example.com' })), cache: 'colo', fresh: { lists: '1m' }", 'export const { Handles, Hub, Listings } = worker\n')}`,
      'tools/note.ts': `import { defineResource } from 'helve'
export default defineResource({
  uri: 'note://a', description: 'A note.', mime: 'text/plain', fresh: '1h', read: () => 'a',
})
`,
    })
    await promisify(execFile)('git', ['init', '-q'], { cwd: project.root })
    const args = [...quick, '--config', file]
    const before = await check(project.root, ...args)
    expect(before.findings.filter(({ fixable }) => !fixable)).toEqual([])
    expect(before.fixed).toEqual([])
    expect(before.code).toBe(1)
    const after = await check(project.root, '--fix', ...args)
    expect(after).toMatchObject({ code: 0, findings: [] })
    expect(after.fixed.join('\n')).toContain("+ import { jwt } from 'helve/auth/jwt'")
    const read = (path: string): Promise<string> => readFile(join(project.root, path), 'utf8')
    const fixed = [await read(file), await read('src/index.ts'), await read('.gitignore')]
    expect(fixed).toMatchSnapshot()
    expect(await check(project.root, '--fix', ...args)).toMatchObject({ code: 0, fixed: [] })
    expect([await read(file), await read('src/index.ts'), await read('.gitignore')]).toEqual(fixed)
  })

  test('shows what it changes, and leaves what it cannot mend as a sentence', async () => {
    const project = await createTemporaryProject({
      ...shop,
      'wrangler.jsonc': toJson({ ...config, migrations: [], build: 'make' }),
      'src/index.ts': "export { default } from './worker'\n",
      'src/worker.ts': workerSource(),
    })
    const { code, stdout, stderr } = await runHelve(project.root, ['check', '--fix', ...quick])
    expect(code).toBe(0)
    expect(stdout).not.toContain('Fixed')
    expect(stderr).toContain('declares no storage for Handles and Hub and Bridge')
    expect(await readFile(join(project.root, 'src/index.ts'), 'utf8')).toBe(
      "export { default } from './worker'\n",
    )
    await project.write({ 'tools/note.ts': toolSource("fresh: '1h', hints: { readOnly: true }") })
    const shown = await runHelve(project.root, ['check', '--fix', '--only', 'tools'])
    expect(shown.stdout).toContain("Fixed: tools/note.ts\n  -   fresh: '1h', hints")
    expect(shown.stdout).toContain("\n  +   cache: '1h', hints")
  })
})

describe('the types of `env`', () => {
  const typed = { ...shop, 'tsconfig.json': '{ "extends": "../../../tsconfig.json" }' }

  // each runs wrangler several times
  const timeout = 150_000

  test(
    'are written by --fix, and are stale after a change of the configuration',
    { timeout },
    async () => {
      const project = await createTemporaryProject(typed)
      const only = ['--only', 'types']
      expect((await check(project.root, ...only)).codes).toEqual(['missing-types'])
      expect(await check(project.root, '--fix', ...only)).toMatchObject({
        findings: [],
        fixed: ['worker-configuration.d.ts was written by `wrangler types`.'],
      })
      await project.write({ 'wrangler.jsonc': toJson({ ...config, vars: { COLOR: 'red' } }) })
      expect((await runHelve(project.root, ['build'])).stderr).toContain(
        'Warning: worker-configuration.d.ts was written before wrangler.jsonc, the secrets or wrangler changed',
      )
      expect((await check(project.root, ...only)).codes).toEqual(['stale-types'])
      expect((await check(project.root, '--fix', ...only)).codes).toEqual([])
      const types = await readFile(join(project.root, 'worker-configuration.d.ts'), 'utf8')
      expect(types).toContain('COLOR: "red"')
      expect((await runHelve(project.root, ['build'])).stderr).toBe('')
    },
  )

  test('are left to a project that declares them by hand, and to one without TypeScript', async () => {
    const project = await createTemporaryProject({
      ...typed,
      'src/env.d.ts': 'declare namespace Cloudflare {\n  interface Env {\n    A: string\n  }\n}\n',
    })
    expect((await check(project.root, '--only', 'types')).codes).toEqual([])
    const plain = await createTemporaryProject(shop)
    expect((await check(plain.root, '--only', 'types')).codes).toEqual([])
  })

  test('have none of the runtime beside the package of its types', { timeout }, async () => {
    const project = await createTemporaryProject({
      ...typed,
      'package.json': toJson({ devDependencies: { '@cloudflare/workers-types': '5' } }),
    })
    await check(project.root, '--fix', '--only', 'types')
    const types = await readFile(join(project.root, 'worker-configuration.d.ts'), 'utf8')
    expect(types).toContain('interface Env')
    expect(types).not.toContain('Runtime types generated')
  })

  test('are written where the script of package.json writes them', { timeout }, async () => {
    const project = await createTemporaryProject({
      ...typed,
      'package.json': toJson({
        scripts: {
          'cf-typegen': 'wrangler types --env-interface CloudflareBindings src/cloudflare.d.ts',
        },
      }),
    })
    expect(await check(project.root, '--fix', '--only', 'types')).toMatchObject({ findings: [] })
    const types = await readFile(join(project.root, 'src/cloudflare.d.ts'), 'utf8')
    expect(types).toContain('interface CloudflareBindings')
    // without the note that the first run left, wrangler is asked
    await project.write({ '.helve/env-types.json': '' })
    expect((await check(project.root, '--only', 'types')).codes).toEqual([])
  })
})
