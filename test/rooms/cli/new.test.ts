import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryProject, toolSource, wranglerToml } from '../build/temporary-project.ts'
import { runHelve } from './run-helve.ts'

const root = join(import.meta.dirname, '../../..')

test('what it writes passes the build, the linter and the formatter', async () => {
  const project = await createTemporaryProject({})
  const lines = [
    ['tool', 'billing/refund', 'tools/billing/refund.ts'],
    ['resource', '2_notes.of-me', 'tools/2_notes.of-me.ts'],
    ['prompt', 'explain.ts', 'tools/explain.ts'],
    ['handle', '9', 'tools/9.ts'],
    ['handle', `cart_${'x'.repeat(40)}`, `tools/cart_${'x'.repeat(40)}.ts`],
    ['test', 'billing/refund', 'test/billing/refund.test.ts'],
  ] as const
  for (const [kind, name, file] of lines) {
    // oxlint-disable-next-line no-await-in-loop -- all write into the same folder
    const ended = await runHelve(project.root, ['new', kind, name])
    expect(ended).toEqual({ code: 0, stdout: `helve: ${file}\n`, stderr: '' })
  }
  const { code, stdout, stderr } = await runHelve(project.root, ['check', '--strict'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('1 tool, 1 resource, 1 prompt, 2 handles')
  // elsewhere, because both ignore the folder of temporary projects
  const folder = await mkdtemp(join(tmpdir(), 'helve-new-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await Promise.all(lines.map(([, , file]) => cp(join(project.root, file), join(folder, file))))
  const run = (tool: string, ...args: readonly string[]) => {
    const config = join(root, `.${tool}rc.json`)
    const command = join(root, `node_modules/${tool}/bin/${tool}`)
    return promisify(execFile)(process.execPath, [command, '-c', config, ...args], { cwd: folder })
  }
  const linted = await run('oxlint', '--deny-warnings')
  expect(linted.stdout).toContain(`on ${lines.length} files`)
  await run('oxfmt', '--check')
})

test.each([
  ['src/worker.ts', { 'src/worker.ts': '' }, "from '../../src/worker.ts'"],
  [
    'the main module',
    { 'wrangler.toml': `main = "app.ts"\n${wranglerToml}` },
    "from '../../app.ts'",
  ],
])('a test imports %s', async (_, files, from) => {
  const project = await createTemporaryProject({ 'tools/a/b.ts': toolSource(), ...files })
  expect(await runHelve(project.root, ['new', 'test', 'a/b'])).toMatchObject({ code: 0 })
  const text = await readFile(join(project.root, 'test/a/b.test.ts'), 'utf8')
  expect(text).toContain(from)
  expect(text).toContain("toContain('a_b')")
})

test.each([
  [['tool', 'a'], 1, 'tools/a.js has the name a already. Nothing was written.'],
  [['prompt', 'b/c'], 1, 'tools/b_c.ts has the name b_c already. Nothing was written.'],
  [['tool', 'a.js'], 0, 'tools/a.js.ts'],
  [['test', 'z'], 1, 'There is no tools/z.ts to test.'],
  [['test', 'b_c'], 1, 'test/b_c.test.ts exists. Nothing was written.'],
  [['tool', '../a'], 2, '"../a" cannot be a tool'],
  [['tool', '_a'], 2, '"_a" cannot be a tool'],
  [['tool', 'a.test'], 2, '"a.test" cannot be a tool'],
  [['tool', 'two words'], 2, '"two words" is not a valid name.'],
  [['tool', 'x'.repeat(129)], 2, 'is not a valid name. A name has 1 to 128 characters'],
  [['tool', 'a*'], 2, 'The name of the file has *. Choose another name.'],
  [['toll', 'a'], 2, '`toll` is not a kind. The kinds are: tool, resource, prompt, handle, test.'],
  [['tool'], 2, 'needs more arguments'],
])('helve new %j exits with %i', async (args, code, message) => {
  const project = await createTemporaryProject({
    'tools/a.js': toolSource(),
    'tools/b_c.ts': toolSource(),
    'test/b_c.test.ts': '',
  })
  const before = await readdir(project.root, { recursive: true })
  const ended = await runHelve(project.root, ['new', ...args])
  expect(ended.stdout + ended.stderr).toContain(message)
  expect(ended.code).toBe(code)
  const after = await readdir(project.root, { recursive: true })
  expect(after.length > before.length).toBe(code === 0)
})
