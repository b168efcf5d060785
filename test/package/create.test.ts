import { execFile } from 'node:child_process'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { experimental_readRawConfig as readRawConfig } from 'wrangler'
import { expect, inject, test } from 'vitest'
import { versions } from '../../create/src/versions.ts'
import { type InstalledProject, createProjectFolder, installHelve } from './installed-project.ts'
import { expectFirstCalls } from './official-client.ts'

/** Runs the packed create-helve in a folder, without a terminal. */
function runCreator(cwd: string, args: readonly string[], agent = 'npm/11.0.0 node/v24') {
  const program = join(inject('unpackedCreator'), 'dist/create-helve.js')
  const env = { ...process.env, npm_config_user_agent: agent }
  return new Promise<{ code: number; output: string }>((done) => {
    execFile(process.execPath, [program, ...args], { cwd, env }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr })
    })
  })
}

/** Creates a project, and installs what its package.json names. */
async function create(...args: readonly string[]): Promise<InstalledProject> {
  const parent = await createProjectFolder()
  expect(await runCreator(parent, ['my-server', ...args])).toMatchObject({ code: 0 })
  const folder = join(parent, 'my-server')
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  return installHelve(
    folder,
    names.filter((name) => name !== 'helve'),
  )
}

const slow = 240_000

test.each([
  ['a tool', []],
  ['a shop and JWTs', ['--template', 'shop', '--auth', 'jwt', '--config', 'jsonc']],
  ['a tool and API keys', ['--auth', 'api-keys', '--config', 'jsonc']],
  ['a shop and an OAuth provider', ['--template', 'shop', '--auth', 'oauth-provider']],
])(
  'a project with %s passes its tests and its type check, and can be deployed',
  { timeout: slow },
  async (_, args) => {
    const project = await create(...args)
    for (const kind of ['tool', 'resource', 'prompt', 'handle', 'test']) {
      // oxlint-disable-next-line no-await-in-loop -- a test needs its tool
      await project.run('helve', 'new', kind, kind === 'test' ? 'my/tool' : `my/${kind}`)
    }
    expect(await project.runScript('test')).toMatch(/Test Files .*passed/)
    expect(await project.runScript('types')).not.toContain('error')
    expect(await project.run('helve', 'check', '--strict')).not.toContain('warning')
    expect(await project.run('wrangler', 'deploy', '--dry-run')).toContain(
      '--dry-run: exiting now.',
    )
  },
)

test(
  'a new project answers both versions of the official client, and `helve call`',
  { timeout: slow },
  async () => {
    const project = await create()
    const url = await expectFirstCalls(project.folder)
    const args = ['-a', 'text=to be', '--url', `${url}/mcp`]
    expect(await project.run('helve', 'call', 'count_words', ...args)).toMatch(/^words +2\n$/)
  },
)

test('both formats of the configuration say the same', async () => {
  const parent = await createProjectFolder()
  const auths = ['none', 'jwt', 'api-keys', 'oauth-provider']
  for (const auth of auths) {
    // oxlint-disable-next-line no-await-in-loop -- few, and each is short
    await runCreator(parent, [`${auth}/toml/app`, '--auth', auth])
    // oxlint-disable-next-line no-await-in-loop -- few, and each is short
    await runCreator(parent, [`${auth}/json/app`, '--auth', auth, '--config', 'jsonc'])
    const toml = readRawConfig({ config: join(parent, auth, 'toml/app/wrangler.toml') })
    const json = readRawConfig({ config: join(parent, auth, 'json/app/wrangler.jsonc') })
    const { $schema, ...own } = json.rawConfig
    expect($schema).toBe('node_modules/wrangler/config-schema.json')
    expect(own).toEqual(toml.rawConfig)
  }
})

test('the versions of a project are the ones that Helve is tested with', async () => {
  const root = join(import.meta.dirname, '../..')
  const { version, devDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  const { helve, ...others } = versions
  expect(helve).toBe(`^${version}`)
  expect(devDependencies).toMatchObject(others)
  const creator = JSON.parse(await readFile(join(root, 'create/package.json'), 'utf8'))
  expect(creator).toMatchObject({ version })
  expect(creator).not.toHaveProperty('dependencies')
})

test('a folder that is not empty is refused, and left as it was', async () => {
  const parent = await createProjectFolder()
  await mkdir(join(parent, 'full'))
  await writeFile(join(parent, 'full/notes.txt'), 'mine')
  const { code, output } = await runCreator(parent, ['full'])
  expect(code).toBe(1)
  expect(output).toContain('full is not empty: it has notes.txt. Nothing was written.')
  expect(await readdir(join(parent, 'full'))).toEqual(['notes.txt'])
})

test('a folder with nothing but a new git repository is used', async () => {
  const parent = await createProjectFolder()
  await mkdir(join(parent, '.git'))
  expect(await runCreator(parent, ['.'])).toMatchObject({ code: 0 })
  expect(await readdir(parent)).toContain('wrangler.toml')
})

test.each([
  [['a', '--template', 'store'], '--template is "store". It must be one of: blank, shop.'],
  [['a', '--clients', 'cursor,emacs'], '--clients is "emacs". It must be one of: claude-code,'],
  [['a', 'b'], 'There is one folder to create, not 2.'],
  [['a', '--colour'], "Unknown option '--colour'."],
  [['...'], 'has no letter or digit'],
])('a command line that cannot be understood exits with 2: %j', async (args, message) => {
  const { code, output } = await runCreator(await createProjectFolder(), args)
  expect(code).toBe(2)
  expect(output).toContain(message)
})

test('clients, the name and the package manager are in the files', async () => {
  const parent = await createProjectFolder()
  const clients = ['--clients', 'claude-code,vscode,cursor,gemini', '--auth', 'api-keys']
  await runCreator(parent, ['My Server', ...clients, '--git'], 'pnpm/10.1.0 node/v24')
  const read = (file: string): Promise<string> => readFile(join(parent, 'My Server', file), 'utf8')
  expect(JSON.parse(await read('package.json'))).toMatchObject({ name: 'my-server' })
  expect(await read('wrangler.toml')).toContain('command = "pnpm exec helve build"')
  expect(await read('README.md')).toContain('`pnpm run dev`')
  expect(JSON.parse(await read('.mcp.json'))).toEqual({
    mcpServers: {
      'my-server': {
        type: 'http',
        url: 'http://127.0.0.1:8787/mcp',
        headers: { Authorization: 'Bearer ${MCP_KEY}' },
      },
    },
  })
  expect(await read('.vscode/mcp.json')).toContain('"Bearer ${input:key}"')
  expect(await read('.cursor/mcp.json')).toContain('"Bearer ${env:MCP_KEY}"')
  expect(await read('.gemini/settings.json')).toContain('"httpUrl"')
  expect(await readdir(join(parent, 'My Server/.git'))).toContain('HEAD')
  // the key of this machine is in one file, which git ignores
  const [, key = ''] = (await read('.dev.vars')).match(/: (\w{64})\n/) ?? []
  expect(key).not.toBe('')
  const files = await readdir(join(parent, 'My Server'), { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile() && file.name !== '.dev.vars')
    .map((file) => readFile(join(file.parentPath, file.name), 'utf8'))
  expect((await Promise.all(texts)).filter((text) => text.includes(key))).toEqual([])
  expect(await read('.gitignore')).toContain('.dev.vars\n')
})
