import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryProject, toolSource, wranglerToml } from '../build/temporary-project.ts'
import { runHelve } from '../../support/run-helve.ts'

test('builds from folders that the command line names', async () => {
  const project = await createTemporaryProject({
    'app/tools/hello.ts': toolSource(),
    'app/wrangler.toml': wranglerToml,
  })
  const args = ['--tools', 'app/tools', '--out', 'app/.helve', '--config', 'app/wrangler.toml']
  expect(await runHelve(project.root, ['build', ...args])).toEqual({
    code: 0,
    stdout: 'helve: 1 tool in app/.helve/registry.ts\n',
    stderr: '',
  })
})

test('a refusal fails `helve build` and `helve check`', async () => {
  const project = await createTemporaryProject({ 'tools/a.ts': toolSource("title: ''") })
  for (const command of ['build', 'check']) {
    // oxlint-disable-next-line no-await-in-loop -- both work in the same folder
    const { code, stderr } = await runHelve(project.root, [command])
    expect(code).toBe(1)
    expect(stderr).toContain('tools/a.ts\n  - `title` must be a non-empty string.')
  }
})

test('a main module without a declared class fails `helve build` and `helve check`', async () => {
  const project = await createTemporaryProject({
    'wrangler.toml': `main = "worker.ts"\n${wranglerToml}`,
    'worker.ts': 'export default {}\n',
    'tools/a.ts': toolSource(),
  })
  for (const [command, under, end] of [
    ['check', '', 'wrangler.toml'],
    ['build', '', 'Nothing was written.'],
    ['build', 'dev', 'Nothing was written.'],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- all work in the same folder
    const { code, stderr } = await runHelve(project.root, [command], {
      env: { WRANGLER_COMMAND: under },
    })
    expect(code).toBe(1)
    expect(stderr).toContain('worker.ts\n  - It does not export Handles and Hub and Bridge, but')
    expect(stderr).toContain(end)
  }
})

test.each([
  [['biuld'], '`helve biuld` is not a command. The closest one is `helve build`.'],
  [['build', 'tools'], '`helve build tools` has too many arguments. Usage: helve build.'],
  [['build', '--strict'], "Unknown option '--strict'. Run `helve build --help`"],
  [['build', '--toolz', 'x'], "Unknown option '--toolz'. Run `helve build --help`"],
])('%j is refused with a hint', async (args, sentence) => {
  const project = await createTemporaryProject({})
  const { code, stderr } = await runHelve(project.root, args)
  expect(code).toBe(2)
  expect(stderr).toContain(sentence)
})

test('warnings fail `helve check --strict` alone', async () => {
  const project = await createTemporaryProject({ 'tools/a.ts': toolSource(), 'tools/b.cjs': '' })
  expect(await runHelve(project.root, ['check'])).toMatchObject({
    code: 0,
    stdout: 'helve: 1 tool, 1 warning\n',
    stderr: expect.stringMatching(/^Warning: tools\/b\.cjs is not read/),
  })
  expect(await runHelve(project.root, ['check', '--strict'])).toMatchObject({ code: 1 })
  expect(await runHelve(project.root, ['build'])).toMatchObject({ code: 0 })
})

test('keeps copies of tools in every language for wrangler dev', async () => {
  const project = await createTemporaryProject({
    'tools/a.mts': toolSource('description: text', "import text from '../a.txt'"),
    'tools/inner/b.js': toolSource(),
    'a.txt': 'text',
  })
  expect(
    await runHelve(project.root, ['build'], { env: { WRANGLER_COMMAND: 'dev' } }),
  ).toMatchObject({
    code: 0,
  })
  await project.write({ 'tools/inner/b.js': 'export default (' })
  const { code, stderr } = await runHelve(project.root, ['build'], {
    env: { WRANGLER_COMMAND: 'dev' },
  })
  expect(stderr).toContain('tools/inner/b.js:1:17: ')
  expect(stderr).toContain('The last good tools are still served.')
  expect(code).toBe(0)
  const copies = await readdir(join(project.out, '.last-good'), { recursive: true })
  expect(copies).toContain('tools/a.js')
  const registry = await readFile(join(project.out, '.last-good/registry.ts'), 'utf8')
  expect(registry.match(/(?<=load: \(\) => )import\('.*'\)/g)).toEqual([
    "import('./tools/a.js')",
    "import('./tools/inner/b.js')",
  ])
})

test('reads the environment that `--env` or CLOUDFLARE_ENV names', async () => {
  const project = await createTemporaryProject({
    'wrangler.toml': `${wranglerToml}[env.staging.vars]\nA = "1"\n`,
    'tools/a.ts': toolSource(),
  })
  expect(await runHelve(project.root, ['check', '-e', 'staging'])).toMatchObject({ code: 0 })
  // as in wrangler, this is the top level
  expect(await runHelve(project.root, ['check', '--env', ''])).toMatchObject({ code: 0 })
  expect(await runHelve(project.root, ['check', '--env', 'prod'])).toMatchObject({
    code: 1,
    stderr:
      'helve: wrangler.toml: There is no environment "prod". The environments are: staging.\n',
  })
})

test.each([
  [['--help'], 'Usage: helve <command> [options]'],
  [['help'], 'Usage: helve <command> [options]'],
  [['help', 'check'], 'Usage: helve check [options]'],
  [['check', '--help'], '      --strict          fail if there are warnings'],
  [['dev', '-h'], 'Usage: helve dev [options of wrangler dev]'],
])('%j prints help', async (args, text) => {
  const { code, stdout } = await runHelve('.', args)
  expect(code).toBe(0)
  expect(stdout).toContain(text)
})

test('without a command the help is printed, and the exit code says that nothing was done', async () => {
  const { code, stdout } = await runHelve('.', [])
  expect(code).toBe(2)
  expect(stdout).toContain('Usage: helve <command> [options]')
})

test('prints the version of the package', async () => {
  const manifest = await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8')
  const { version } = JSON.parse(manifest)
  for (const flag of ['-v', '--version']) {
    // oxlint-disable-next-line no-await-in-loop -- a machine with two cores
    expect(await runHelve('.', [flag])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  }
})

test('an older Node is told what to do', async () => {
  const { code, stderr } = await runHelve('.', ['build'], {
    nodeArgs: [
      '--import=data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.1.0"}})',
    ],
  })
  expect(code).toBe(1)
  expect(stderr).toBe(
    'helve needs Node 22 or newer, as wrangler does, and this is Node 20.1.0. Install a newer Node.\n',
  )
})
