import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { build, check } from '../../../src/build/build.ts'
import { findToolFiles, isToolFile, loadSources, toToolName } from '../../../src/build/project.ts'
import { createTemporaryProject, toolSource } from './temporary-project.ts'

test.each([
  ['refund.ts', true],
  ['refund.mts', true],
  ['refund.tsx', true],
  ['refund.js', true],
  ['refund.mjs', true],
  ['refund.jsx', true],
  ['billing/refund.ts', true],
  ['refund.cts', false],
  ['refund.cjs', false],
  ['refund.d.ts', false],
  ['refund.d.mts', false],
  ['refund.test.ts', false],
  ['refund.spec.mjs', false],
  ['refund.json', false],
  ['README.md', false],
  ['_money.ts', false],
  ['_shared/money.ts', false],
  ['.trash/refund.ts', false],
  ['ts', false],
])('%s may hold a tool: %s', (path, expected) => {
  expect(isToolFile(path)).toBe(expected)
})

test.each([
  ['refund.ts', 'refund'],
  ['billing/refund.ts', 'billing_refund'],
  ['a/b/c.v2.ts', 'a_b_c.v2'],
  ['refund.mjs', 'refund'],
  ['refund.tsx', 'refund'],
])('%s is named %s', (path, name) => {
  expect(toToolName(path)).toBe(name)
})

test('finds files in every folder, in code-unit order', async () => {
  const project = await createTemporaryProject({
    'tools/b.ts': '',
    'tools/a/z.ts': '',
    'tools/B.ts': '',
    'tools/_own/c.ts': '',
    'tools/folder.ts/d.ts': '',
  })
  expect(await findToolFiles(project.tools)).toEqual({
    paths: ['B.ts', 'a/z.ts', 'b.ts', 'folder.ts/d.ts'],
    unread: [],
    refusals: [],
  })
})

test('finds nothing in a folder that is not there', async () => {
  const project = await createTemporaryProject({})
  expect(await findToolFiles(project.tools)).toMatchObject({ paths: [], refusals: [] })
})

test('says that a file stands where the folder should be', async () => {
  const project = await createTemporaryProject({ tools: '' })
  await expect(findToolFiles(project.tools)).rejects.toThrow('The tools cannot be read: ')
})

test('reads TypeScript and JavaScript, and warns of CommonJS', async () => {
  const plain = toolSource()
  const jsx = 'const h = (tag: string) => tag\nexport const tag = <b />'
  const project = await createTemporaryProject({
    'wrangler.toml': 'compatibility_date = "2026-11-02"\njsx_factory = "h"\n',
    'tools/a.ts': plain,
    'tools/b.mts': plain,
    'tools/c.tsx': toolSource('description: tag', jsx),
    'tools/d.js': plain,
    'tools/e.mjs': plain,
    'tools/f.jsx': toolSource('description: tag', jsx.replace(': string', '')),
    'tools/g.cjs': 'module.exports = 1',
    'tools/h.cts': 'export = 1',
    'tools/i.TS': plain,
    'tools/a.test.js': 'nothing',
    'tools/notes.md': 'nothing',
  })
  const result = await build(project)
  expect(result).toMatchObject({
    kind: 'good',
    entries: ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => ({ key })),
    warnings: [
      expect.stringMatching(/^tools\/g\.cjs is not read, because it is a CommonJS module\./),
      expect.stringMatching(/^tools\/h\.cts is not read/),
      expect.stringMatching(
        /^tools\/i\.TS is not read, because its extension is not in lower case\./,
      ),
    ],
  })
})

test('refuses two files for one name', async () => {
  const project = await createTemporaryProject({
    'tools/a.ts': toolSource(),
    'tools/a.js': toolSource("name: 'other'"),
    'tools/b.ts': toolSource(),
  })
  expect(await check(project)).toMatchObject({
    kind: 'refused',
    refusals: [
      { files: ['tools/a.js', 'tools/a.ts'], why: expect.stringContaining('have the same name') },
    ],
  })
})

test('refuses files whose names cannot be bundled or seen', async () => {
  const names = ['a\nb', 'a\u001Bb', 'a\u2028b', 'a\u200Bb', 'a\u{E0041}b', 'a"b', 'a*b', 'a\\b']
  const files = names.map((name) => [`tools/${name}.ts`, toolSource("name: 'a'")])
  const project = await createTemporaryProject(Object.fromEntries(files))
  const { tools, refusals } = await loadSources(project)
  expect(tools).toEqual([])
  const reasons = refusals.map(({ files, why }) => [files.join(' '), why] as const)
  expect(Object.fromEntries(reasons)).toEqual({
    'tools/a<U+000A>b.ts': 'The name of the file has U+000A. Rename it.',
    'tools/a<U+001B>b.ts': 'The name of the file has U+001B. Rename it.',
    'tools/a<U+2028>b.ts': 'The name of the file has U+2028. Rename it.',
    'tools/a<U+200B>b.ts': 'The name of the file has U+200B. Rename it.',
    'tools/a<U+E0041>b.ts': 'The name of the file has U+E0041. Rename it.',
    'tools/a"b.ts': 'The name of the file has ". Rename it.',
    'tools/a*b.ts': 'The name of the file has *. Rename it.',
    'tools/a\\b.ts': 'The name of the file has \\. Rename it.',
  })
})

test('reads files with any other name', async () => {
  const names = ["it's", 'a b', 'a?b', 'a#b', 'a%20b', 'a$`b', '😀', 'ü', '[a]', 'a.b', '-a']
  const files = names.map((name, index) => [
    `tools/${name}.ts`,
    toolSource(`name: 'tool_${index}'`),
  ])
  const project = await createTemporaryProject(Object.fromEntries(files))
  const result = await build(project)
  expect(result).toMatchObject({ kind: 'good', entries: { length: names.length } })
})

test('names the line of a file with any name', async () => {
  const throwing = toolSource('', "throw new Error('No.')")
  const files = ["tools/ü (it's) 100%.ts", `tools/${'a'.repeat(250)}.ts`]
  const sources = files.map((file) => [file, throwing])
  const result = await check(await createTemporaryProject(Object.fromEntries(sources)))
  const why = result.kind === 'refused' ? result.refusals.map(({ why }) => why) : []
  expect(why.toSorted()).toEqual(
    files.map((file) => `${file}:3:7: Loading the module failed: No.`).toSorted(),
  )
})

test('follows symbolic links, and refuses those that lead nowhere or back', async () => {
  const project = await createTemporaryProject({
    'common/b.ts': toolSource(),
    'tools/a.ts': toolSource(),
  })
  const link = (target: string, path: string): Promise<void> =>
    symlink(target, join(project.tools, path))
  await mkdir(join(project.tools, 'inner'))
  await writeFile(join(project.tools, 'inner/c.ts'), toolSource())
  await link('../common', 'common')
  await link('../common/b.ts', 'linked.ts')
  await link('nowhere', 'gone.ts')
  await link('itself.ts', 'itself.ts')
  await link('nowhere', 'gone.md')
  await link('..', 'inner/up')
  // the project with all its packages
  await link('..', 'project')
  const { tools, refusals } = await loadSources(project)
  expect(tools.map(({ file }) => file)).toEqual([
    'tools/a.ts',
    'tools/common/b.ts',
    'tools/inner/c.ts',
    'tools/linked.ts',
  ])
  expect(refusals.toSorted((a, b) => (String(a.files) < String(b.files) ? -1 : 1))).toEqual([
    { files: ['tools/gone.ts'], why: expect.stringContaining('that does not exist') },
    { files: ['tools/inner/up'], why: expect.stringContaining('a folder that contains it') },
    { files: ['tools/itself.ts'], why: expect.stringContaining('that does not exist') },
    { files: ['tools/project'], why: expect.stringContaining('a folder that contains it') },
  ])
})
