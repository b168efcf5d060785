import { Validator } from '@cfworker/json-schema'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clients } from '../../../src/cli/connect/clients.ts'
import { isLocalUrl } from '../../../src/cli/connect/server-address.ts'
import { findServerJsonProblems } from '../../../src/cli/connect/server-json.ts'
import { type TemporaryProject, createTemporaryProject } from '../build/temporary-project.ts'
import { runHelve } from '../../support/run-helve.ts'

interface Printed {
  readonly name: string
  readonly url: string
  readonly clients: readonly {
    readonly client: string
    readonly warning: string | null
    readonly connections: readonly { readonly kind: string; readonly text: string }[]
  }[]
}

async function connect(root: string, ...args: readonly string[]): Promise<Printed> {
  const { stdout, stderr } = await runHelve(root, ['connect', '--json', ...args])
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

function createShop(toml = '', options = ''): Promise<TemporaryProject> {
  return createTemporaryProject({
    'wrangler.toml': `name = "shop"\nmain = "worker.ts"\ncompatibility_date = "2026-11-02"\n${toml}`,
    'worker.ts': `import { createWorker } from 'helve'\nexport default createWorker({ name: 'the-shop', title: 'The shop', version: '1.2.3', ${options} })\n`,
    'package.json': JSON.stringify({
      description: 'Sells kitchen things.',
      homepage: 'https://shop.example.com',
      repository: 'github:ada/shop',
    }),
  })
}

const domain = 'routes = [{ pattern = "shop.example.com", custom_domain = true }]\n'

describe('without a URL', () => {
  test.each([
    ['', '', 'http://127.0.0.1:8787/mcp'],
    ['[dev]\nport = 9000\nip = "localhost"\n', "endpoint: '/',", 'http://127.0.0.1:9000/'],
    [domain, '', 'https://shop.example.com/mcp'],
    [domain, "endpoint: '/tools',", 'https://shop.example.com/tools'],
    ['', "resource: 'https://mcp.example.com/mcp',", 'https://mcp.example.com/mcp'],
    // the subdomain of an account is not in the files
    ['workers_dev = true\n', '', 'http://127.0.0.1:8787/mcp'],
    [`${domain}[env.staging]\nroutes = ["a.example.com/*"]\n`, '', 'https://shop.example.com/mcp'],
  ])('%j and %j are the server at %s', async (toml, options, url) => {
    const { root } = await createShop(toml, options)
    expect(await connect(root)).toMatchObject({ name: 'shop', url })
  })

  test('the environment decides', async () => {
    const { root } = await createShop(
      '[env.staging]\nroutes = [{ pattern = "staging.example.com", custom_domain = true }]\n',
    )
    const { url } = await connect(root, '--env', 'staging')
    expect(url).toBe('https://staging.example.com/mcp')
  })
})

test('every client that connects from the internet is warned of a local URL', async () => {
  const { root } = await createShop()
  const warned = (all: Printed): readonly string[] =>
    all.clients.filter(({ warning }) => warning !== null).map(({ client }) => client)
  expect(warned(await connect(root))).toEqual(['claude', 'chatgpt'])
  expect(warned(await connect(root, 'https://shop.example.com/mcp'))).toEqual([])
  const { stdout } = await runHelve(root, ['connect', '--client', 'chatgpt'])
  expect(stdout).toBe(
    'shop: http://127.0.0.1:8787/mcp (from `wrangler dev`)\n\nChatGPT\n  It connects from the internet, and ' +
      'cannot reach http://127.0.0.1:8787. Deploy the Worker, or open a tunnel: cloudflared tunnel --url ' +
      'http://127.0.0.1:8787\n',
  )
})

test('links contain the server', async () => {
  const { root } = await createShop()
  const { clients: all } = await connect(root, 'https://shop.example.com/mcp?a=1&b=2')
  const links = all.flatMap(({ connections }) => connections.filter(({ kind }) => kind === 'link'))
  const [claude = '', cursor = '', code = ''] = links.map(({ text }) => text)
  expect(Object.fromEntries(new URL(claude).searchParams)).toEqual({
    modal: 'add-custom-connector',
    connectorName: 'The shop',
    connectorUrl: 'https://shop.example.com/mcp?a=1&b=2',
  })
  const config = new URL(cursor).searchParams.get('config') ?? ''
  expect(JSON.parse(atob(config))).toEqual({ url: 'https://shop.example.com/mcp?a=1&b=2' })
  expect(JSON.parse(decodeURIComponent(new URL(code).search.slice(1)))).toEqual({
    name: 'shop',
    type: 'http',
    url: 'https://shop.example.com/mcp?a=1&b=2',
  })
})

test('a URL that a shell would read is quoted', async () => {
  const { root } = await createShop()
  const { clients: all } = await connect(
    root,
    "https://a.example.com/it's?a=1&b=$x",
    '--client',
    'codex',
  )
  expect(all[0]?.connections[0]?.text).toBe(
    String.raw`codex mcp add shop --url 'https://a.example.com/it'\''s?a=1&b=$x'`,
  )
})

test('no line contains the secret, and each names its variable', async () => {
  const { root } = await createShop()
  const headers = ['--token-env', 'SHOP_KEY', '--header', 'X-Shop=SHOP_ID']
  const { clients: all } = await connect(root, 'https://shop.example.com/mcp', ...headers)
  const texts = all.map(({ client, connections }) => [
    client,
    ...connections.map(({ text }) => text),
  ])
  expect(texts).toMatchSnapshot()
})

test.each([
  [['shop'], '"shop" is not a URL. Write the whole URL'],
  [['ftp://shop.example.com'], 'is not a URL.'],
  [
    ['--client', 'emacs'],
    '"emacs" is not a client that Helve knows. These are: claude, claude-desktop,',
  ],
  [['--token-env', 'sk-12345'], 'A secret is named by its environment variable'],
  [['--header', 'X-Key'], 'A secret is named by its environment variable'],
  [['--header', 'X Key=A'], 'Write the header and the variable'],
])('%j is refused', async (args, sentence) => {
  const { root } = await createShop()
  const { code, stderr } = await runHelve(root, ['connect', ...args])
  expect(code).toBe(2)
  expect(stderr).toContain(sentence)
})

test.each([
  ['http://localhost/mcp', true],
  ['http://127.0.0.1:8787/mcp', true],
  ['http://[::1]:8787/mcp', true],
  ['http://192.168.1.2/mcp', true],
  ['http://172.32.0.1/mcp', false],
  ['https://10.example.com/mcp', false],
  ['https://shop.test/mcp', true],
  ['https://shop.example.com/mcp', false],
])('%s is local: %j', (url, isLocal) => {
  expect(isLocalUrl(url)).toBe(isLocal)
})

describe('--server-json', () => {
  const read = async (root: string): Promise<unknown> =>
    JSON.parse(await readFile(join(root, 'server.json'), 'utf8'))

  test('writes what the schema of the registry accepts', async () => {
    const { root } = await createShop(domain)
    const { code, stdout } = await runHelve(root, [
      'connect',
      '--server-json',
      '--token-env=SHOP_KEY',
      '--header=X-Shop=SHOP_ID',
    ])
    expect(stdout).toBe(
      'helve: server.json for com.example.shop/shop at https://shop.example.com/mcp\n',
    )
    expect(code).toBe(0)
    const json = await read(root)
    expect(await validate(json)).toEqual([])
    expect(json).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'com.example.shop/shop',
      title: 'The shop',
      description: 'Sells kitchen things.',
      repository: { url: 'https://github.com/ada/shop', source: 'github' },
      websiteUrl: 'https://shop.example.com',
      version: '1.2.3',
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://shop.example.com/mcp',
          headers: [
            {
              name: 'Authorization',
              isRequired: true,
              isSecret: true,
              value: 'Bearer {SHOP_KEY}',
              variables: {
                SHOP_KEY: {
                  description: 'The value of SHOP_KEY',
                  isRequired: true,
                  isSecret: true,
                },
              },
            },
            {
              name: 'X-Shop',
              description: 'The value of SHOP_ID',
              isRequired: true,
              isSecret: true,
            },
          ],
        },
      ],
    })
  })

  test('keeps what people have written in it, and renews the version and the address', async () => {
    const { root, write } = await createShop(domain)
    const icons = [{ src: 'https://shop.example.com/icon.png' }]
    const own = { name: 'io.github.ada/shop', description: 'My shop.', icons, version: '1.0.0' }
    await write({ 'server.json': JSON.stringify(own) })
    await runHelve(root, ['connect', '--server-json'])
    expect(await read(root)).toMatchObject({ ...own, version: '1.2.3' })
    expect(await validate(await read(root))).toEqual([])
  })

  test.each([
    [['--name', 'shop'], 'The name is "shop". It must be in reverse-DNS format'],
    [['http://localhost:8787/mcp'], 'The URL is "http://localhost:8787/mcp". It must be one'],
    [['--description', 'x'.repeat(101)], 'The description must have 1 to 100 characters'],
  ])('is refused with %j', async (args, sentence) => {
    const { root } = await createShop(domain)
    const { code, stderr } = await runHelve(root, ['connect', '--server-json', ...args])
    expect(code).toBe(1)
    expect(stderr).toContain(sentence)
  })

  const good = {
    name: 'com.example/shop',
    description: 'A shop.',
    version: '1.0.0',
    remotes: [{ type: 'streamable-http', url: 'https://shop.example.com/mcp' }],
  }
  test.each([
    { name: 'a' },
    { name: 'a/b/c' },
    { name: `a/${'b'.repeat(200)}` },
    { description: '' },
    { title: '' },
    { title: 'x'.repeat(101) },
    { version: '1'.repeat(256) },
    { remotes: [{ type: 'streamable-http', url: 'shop' }] },
  ])('what the schema refuses is refused before: %j', async (change) => {
    const json = { ...good, ...change }
    expect(await validate(json)).not.toEqual([])
    expect(findServerJsonProblems(json)).toHaveLength(1)
  })

  test.each(['^1.0.0', '>=1', '1.x', 'latest', '1.*', ''])(
    'the version %j is refused as the registry does',
    (version) => {
      expect(findServerJsonProblems({ ...good, version })).toHaveLength(1)
    },
  )

  test('a good one is accepted by both', async () => {
    expect(await validate(good)).toEqual([])
    expect(findServerJsonProblems(good)).toEqual([])
  })
})

/** Returns what the official schema refuses. */
async function validate(json: unknown): Promise<readonly string[]> {
  const path = join(import.meta.dirname, 'server-json-schema/server.schema.json')
  const schema: object = JSON.parse(await readFile(path, 'utf8'))
  const { errors } = new Validator(schema, '7', false).validate(json)
  return errors.map(({ error }) => error)
}

test('docs/clients.md shows what the command prints', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/clients.md'), 'utf8')
  const lines = new Set(page.split('\n'))
  const local = { name: 'shop', title: 'Shop', url: 'http://127.0.0.1:8787/mcp', headers: [] }
  const deployed = { ...local, url: 'https://shop.example.workers.dev/mcp' }
  const shown = [local, deployed].map((server) =>
    clients.flatMap((client) =>
      client
        .connect(server)
        .filter(({ kind }) => kind !== 'steps')
        .filter(({ text }) => text.split('\n').every((line) => lines.has(line)))
        .map(({ kind }) => `${client.name} ${kind}`),
    ),
  )
  const all = clients.flatMap((client) =>
    client
      .connect(local)
      .filter(({ kind }) => kind !== 'steps')
      .map(({ kind }) => `${client.name} ${kind}`),
  )
  const keyed = {
    ...deployed,
    headers: [{ name: 'Authorization', prefix: 'Bearer ', variable: 'SHOP_KEY' }],
  }
  const remote = clients.find(({ name }) => name === 'mcp-remote')
  expect(remote?.connect(keyed).filter(({ text }) => !lines.has(text))).toEqual([])
  // each as it is for `wrangler dev`, or as it is once it is deployed
  expect(all.filter((one) => !shown.some((some) => some.includes(one)))).toEqual([])
})
