import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '../../support/free-port.ts'
import { quiet } from '../../support/wrangler-dev.ts'
import { createTemporaryProject, toolSource, wranglerToml } from '../build/temporary-project.ts'

const helve = join(import.meta.dirname, '../../../src/cli/helve.ts')

/** Starts `helve dev` in a folder; `printed` grows with what it writes. */
function startDev(
  cwd: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  shell = false,
) {
  const command = [process.execPath, helve, 'dev', ...args]
  const [file = '', ...rest] = shell ? ['sh', '-c', `${command.join(' ')}; true`] : command
  const child = spawn(file, rest, {
    cwd,
    env: {
      ...process.env,
      ...quiet,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const dev = { child, printed: '', exited: once(child, 'exit') }
  child.stdout.on('data', (chunk) => (dev.printed += String(chunk)))
  child.stderr.on('data', (chunk) => (dev.printed += String(chunk)))
  return dev
}

const files = {
  'wrangler.toml': `name = "shop"\nmain = "worker.ts"\n${wranglerToml.split('\n')[0]}\n`,
  'worker.ts': "export default { fetch: () => new Response('hello') }\n",
  'tools/hello.ts': toolSource(),
}

test.each([
  ['itself', false],
  // as npm does
  ['the shell that runs it', true],
])(
  '`helve dev` listens on PORT, passes its arguments to wrangler, and ends with %s',
  async (_, shell) => {
    const { root } = await createTemporaryProject(files)
    const [port, inspector] = [await findFreePort(), await findFreePort()]
    const args = [`--inspector-port=${inspector}`, '--ip=127.0.0.1']
    const dev = startDev(root, args, { PORT: String(port) }, shell)
    const isServed = async (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}`).then(
        async (response) => (await response.text()) === 'hello',
        () => false,
      )
    try {
      await expect.poll(isServed, { timeout: 60_000 }).toBe(true)
      expect(dev.printed).toContain('helve: 1 tool in .helve/registry.ts')
    } finally {
      dev.child.kill('SIGTERM')
    }
    await dev.exited
    await expect.poll(isServed, { timeout: 15_000 }).toBe(false)
  },
)

test('`helve dev` builds for the configuration and the environment that wrangler gets', async () => {
  const staged = "import { env } from 'cloudflare:workers'\nif (!env.STAGED) throw new Error('No.')"
  const { root } = await createTemporaryProject({
    ...files,
    'wrangler.toml': 'broken',
    'other.toml': `${files['wrangler.toml']}[env.staging.vars]\nSTAGED = "yes"\n`,
    'tools/hello.ts': toolSource('', staged),
  })
  // wrangler refuses the option and ends
  const dev = startDev(root, ['-c', 'other.toml', '--env=staging', '--unknown'], {})
  expect(await dev.exited).toEqual([1, null])
  expect(dev.printed).toContain('helve: 1 tool in .helve/registry.ts')
})

test('`helve dev` writes the types of `env`, and again after a change of the configuration', async () => {
  const { root, write } = await createTemporaryProject({
    ...files,
    'tsconfig.json': '{ "extends": "../../../tsconfig.json" }',
  })
  const [port, inspector] = [await findFreePort(), await findFreePort()]
  const dev = startDev(root, [`--inspector-port=${inspector}`], { PORT: String(port) })
  const isTyped = async (text: string): Promise<boolean> => {
    const types = await readFile(join(root, 'worker-configuration.d.ts'), 'utf8').catch(() => '')
    return types.includes(text)
  }
  try {
    await expect.poll(() => isTyped('interface Env'), { timeout: 60_000 }).toBe(true)
    await write({ 'wrangler.toml': `${files['wrangler.toml']}[vars]\nCOLOR = "red"\n` })
    await expect.poll(() => isTyped('COLOR: "red"'), { timeout: 60_000 }).toBe(true)
    await expect
      .poll(() => dev.printed)
      .toContain('helve: worker-configuration.d.ts was written by `wrangler types`.')
  } finally {
    dev.child.kill('SIGTERM')
  }
  await dev.exited
}, 150_000)

test.each([
  ['a port that is not one', { ...files }, { PORT: '80x' }, 'PORT is "80x". It must be a number'],
  [
    'tools that are refused',
    { ...files, 'tools/a.ts': toolSource("title: ''") },
    {},
    '`title` must be a non-empty string.',
  ],
])('`helve dev` does not start with %s', async (_, files, variables, sentence) => {
  const { root } = await createTemporaryProject(files)
  const dev = startDev(root, [], variables)
  expect(await dev.exited).toEqual([1, null])
  expect(dev.printed).toContain(sentence)
})
