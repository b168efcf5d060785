import { expect, test } from 'vitest'
import { check } from '../../../src/build/build.ts'
import { createTemporaryProject, toolSource } from './temporary-project.ts'

const wrangler = `compatibility_date = "2026-11-02"
[vars]
CURRENCY = "EUR"
SHARED = "from vars"
LIMITS = { words = ["ü", "\\"\\\\\\n"] }
[secrets]
required = ["REQUIRED_KEY"]
[env.staging.vars]
CURRENCY = "USD"
ONLY_STAGED = "staged"
[[kv_namespaces]]
binding = "KV"
[[d1_databases]]
binding = "DB"
[[r2_buckets]]
binding = "FILES"
[[queues.producers]]
binding = "QUEUE"
queue = "q"
[[services]]
binding = "OTHER"
service = "other"
[ai]
binding = "AI"
[durable_objects]
bindings = [{ name = "ROOMS", class_name = "Hub" }]
`

const devVars = `LOCAL_KEY="sk-real-value"
SHARED="real-shared"
DATABASE_URL=postgres://user:real-password@db.example.com:5432/shop?sslmode=require
`

const client = `
import { env } from 'cloudflare:workers'
class Client { constructor(key) { if (!key) throw new Error('apiKey is required'); this.key = key } }
`

/** Returns what each tool has as its description, or why it is refused, by name. */
async function read(
  tools: Readonly<Record<string, string>>,
  environment: string | null = null,
): Promise<Readonly<Record<string, string>>> {
  const sources = Object.entries(tools).map(([name, source]) => [`tools/${name}.ts`, source])
  const files = { 'wrangler.toml': wrangler, '.dev.vars': devVars, ...Object.fromEntries(sources) }
  const result = await check({ ...(await createTemporaryProject(files)), environment })
  const found =
    result.kind === 'refused'
      ? result.refusals.map(({ files: [file = ''], why }) => [file.slice(6, -3), why] as const)
      : result.entries.map(({ key, members }) => {
          const { description } = JSON.parse(String(members['listed']))
          return [key, String(description)] as const
        })
  return Object.fromEntries(found)
}

/** A tool that describes itself by an expression. */
function describing(expression: string, before = ''): string {
  return toolSource(`description: String(${expression})`, client + before)
}

/** A tool with a statement that is run while the module is loaded. */
function running(statement: string): string {
  return describing('1', statement)
}

test('a module reads vars, placeholders and bindings while the build loads it', async () => {
  const names = "['KV', 'FILES', 'QUEUE', 'OTHER', 'AI', 'ROOMS']"
  const all = 'JSON.stringify([env, process.env])'
  const found = await read({
    own: describing('env.CURRENCY'),
    of_environment: describing('env.ONLY_STAGED'),
    overridden: describing('env.SHARED'),
    json: describing('JSON.stringify(env.LIMITS)'),
    of_process: describing('process.env.CURRENCY'),
    local: describing('env.LOCAL_KEY.length > 0'),
    required: describing('typeof process.env.REQUIRED_KEY'),
    scheme: describing('new URL(env.DATABASE_URL).protocol'),
    bindings: describing(`${names}.every((name) => env[name])`),
    query: describing("typeof env.DB.prepare('select ?').bind(1).first"),
    stub: describing("typeof env.ROOMS.getByName('a').join"),
    client: describing('client.constructor.name', 'const client = new Client(env.LOCAL_KEY)'),
    leak: describing(`/real-(?:value|password|shared)|example\\.com/.test(${all})`),
  })
  expect(found).toEqual({
    own: 'EUR',
    of_environment: 'staged',
    overridden: 'from vars',
    json: String.raw`{"words":["ü","\"\\\n"]}`,
    of_process: 'EUR',
    local: 'true',
    required: 'string',
    scheme: 'postgres:',
    bindings: 'true',
    query: 'function',
    stub: 'function',
    client: 'Client',
    leak: 'false',
  })
})

test('a module reads the vars of the chosen environment alone', async () => {
  const tools = { own: describing('env.CURRENCY'), other: describing('env.LIMITS') }
  expect(await read(tools, 'staging')).toEqual({ own: 'USD', other: 'undefined' })
})

test('a module that fails without a value is refused with what `env` has', async () => {
  const found = await read({
    member: running('new Client(env.NOWHERE)'),
    destructured: running('const { ABSENT } = env; new Client(ABSENT)'),
    tested: running("if (!('GONE' in env)) throw new Error('No key.')"),
    library: running("throw new Error('The SOME_API_KEY environment variable is missing')"),
    placeholder: running('new URL(env.LOCAL_KEY)'),
    io: running("await env.KV.get('a')"),
    other: running("throw new Error('Else.')"),
  })
  const lacks = (name: string): unknown =>
    expect.stringMatching(
      new RegExp(`while the build reads a module, .*None of these has \`${name}\`\\.`, 'i'),
    )
  expect(found).toEqual({
    member: lacks('NOWHERE'),
    destructured: lacks('ABSENT'),
    tested: lacks('GONE'),
    library: lacks('SOME_API_KEY'),
    placeholder: expect.stringContaining('`LOCAL_KEY` is a placeholder. Use `env` in `run`'),
    io: expect.stringContaining('Move it into `run`.'),
    other: expect.stringMatching(/failed: Else\.$/),
  })
})

test('the placeholder of a secret in a definition is refused', async () => {
  const found = await read({
    local: describing("'Uses ' + env.LOCAL_KEY"),
    address: describing('new URL(env.DATABASE_URL).host'),
    required: describing('process.env.REQUIRED_KEY'),
  })
  const contains = (name: string): unknown =>
    expect.stringContaining(`the value of the secret \`env.${name}\``)
  expect(found).toEqual({
    local: contains('LOCAL_KEY'),
    address: contains('DATABASE_URL'),
    required: contains('REQUIRED_KEY'),
  })
})

test('an environment that wrangler.toml lacks is refused', async () => {
  await expect(read({}, 'prod')).rejects.toThrow(
    'There is no environment "prod". The environments are: staging.',
  )
})
