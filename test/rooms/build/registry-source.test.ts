import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Entry } from '../../../src/build/evaluated.ts'
import {
  toLiteral,
  toRegistrySource,
  writeFileIfChanged,
} from '../../../src/build/registry-source.ts'
import { createTemporaryProject } from './temporary-project.ts'

function entry(name: string, listed = '{}'): Entry {
  const members = { name, listed, headers: [] }
  return {
    section: 'tools',
    key: name,
    uniqueKeys: [],
    file: `tools/${name}.ts`,
    usesJsonSchema: false,
    members,
  }
}

const write = (...entries: Entry[]): string =>
  toRegistrySource(
    { entries, code: 'abc' },
    { vars: ['PLACE'], limits: {} },
    (file) => `../${file}`,
  )
const digestOf = (source: string): string | undefined => /digest: '(.*)'/.exec(source)?.[1]

test('writes each tool with a lazy import of its module', () => {
  expect(write(entry('hello', '{"name":"hello"}'))).toContain(`  tools: [
    {
      name: 'hello',
      listed: '{"name":"hello"}',
      headers: [],
      load: () => import('../tools/hello.ts'),
    },
  ],
`)
})

test('has the type of each definition, by the name that clients use', () => {
  const resource = { ...entry('list'), section: 'resources', key: 'shop://{sku}' } as const
  expect(write(entry('hello'), resource)).toContain(`
export interface Definitions {
  readonly tools: {
    readonly hello: typeof import('../tools/hello.ts').default
  }
  readonly resources: {
    readonly 'shop://{sku}': typeof import('../tools/list.ts').default
  }
  readonly prompts: {}
}

export const registry: Registry<Definitions> = {
`)
})

test('lets a module of JavaScript be without types', () => {
  const untyped = `    // @ts-ignore: JavaScript may have no types
    readonly hello: typeof import('../tools/hello.js').default
`
  expect(write({ ...entry('hello'), file: 'tools/hello.js' })).toContain(untyped)
})

test('imports the checker of plain JSON Schema only where an entry uses one', () => {
  const plain = { ...entry('plain'), usesJsonSchema: true }
  expect(write(entry('hello'))).not.toContain('helve/json-schema')
  expect(write(entry('hello'), plain)).toContain("import 'helve/json-schema'\n")
  expect(digestOf(write(plain))).toBe(digestOf(write(entry('plain'))))
})

test('writes all four lists, including empty ones', () => {
  expect(write()).toContain('  tools: [],\n  resources: [],\n  prompts: [],\n  handles: [],\n')
})

test('writes each entry into its own list', () => {
  const handle = { ...entry('basket'), section: 'handles' } as const
  expect(write(entry('hello'), handle)).toMatch(
    /tools: \[\n[^]*'hello'[^]*resources: \[\],\n {2}prompts: \[\],\n {2}handles: \[\n[^]*'basket'/,
  )
})

test('sorts by code units, so that the order of files makes no difference', () => {
  const source = write(entry('b'), entry('a'), entry('B'))
  expect([...source.matchAll(/name: '(.)'/g)].map(([, name]) => name)).toEqual(['B', 'a', 'b'])
  expect(write(entry('a'), entry('B'), entry('b'))).toBe(source)
})

test('the digest is base64url of SHA-256, and changes with everything that a client sees', () => {
  const digest = digestOf(write(entry('a')))
  expect(digest).toMatch(/^[\w-]{43}$/)
  expect(digestOf(write(entry('a', '{"title":"A"}')))).not.toBe(digest)
  expect(digestOf(write(entry('b')))).not.toBe(digest)
  expect(digestOf(write({ ...entry('a'), section: 'prompts' }))).not.toBe(digest)
})

test('the digest stays the same when a module only moves', () => {
  expect(digestOf(write({ ...entry('a'), file: 'tools/other.ts' }))).toBe(
    digestOf(write(entry('a'))),
  )
})

test.each([
  ["it's", "'it\\'s'"],
  ['a\\b', "'a\\\\b'"],
  ['a\nb\r', "'a\\nb\\r'"],
  ['"quoted"', '\'"quoted"\''],
  [['a', 1, null, true], "['a', 1, null, true]"],
  [{ path: ['a'] }, "{ path: ['a'] }"],
  [
    { 'my-limit': 1, "it's": 2, '': 3, 1: 4, $a: 5 },
    "{ '1': 4, 'my-limit': 1, 'it\\'s': 2, '': 3, $a: 5 }",
  ],
  ['a\0b\u2028\uD800\uFEFF', String.raw`'a\u{0}b\u{2028}\u{d800}\u{feff}'`],
])('writes %j as %s', (value, literal) => {
  expect(toLiteral(value)).toBe(literal)
})

test.each([
  { 'my-limit': { limit: 1, period: 10 } },
  JSON.parse(
    '{ "__proto__": { "limit": 1 }, "constructor": 1, "a b": "\\u0000\\u2029", "默认": [1] }',
  ),
])('a literal evaluates to the value: %j', async (value) => {
  const source = `export const value = ${toLiteral(value)}`
  const { value: again } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
  expect(JSON.stringify(again)).toBe(JSON.stringify(value))
})

test('creates the folder, writes the text and leaves no other file', async () => {
  const project = await createTemporaryProject({})
  await writeFileIfChanged(join(project.out, 'registry.ts'), 'one')
  expect(await readFile(join(project.out, 'registry.ts'), 'utf8')).toBe('one')
  expect(await readdir(project.out)).toEqual(['registry.ts'])
})

test('leaves a file with the same text alone, and replaces one with another text', async () => {
  const project = await createTemporaryProject({})
  const path = join(project.out, 'registry.ts')
  await writeFileIfChanged(path, 'one')
  const { ino } = await stat(path)
  await writeFileIfChanged(path, 'one')
  expect((await stat(path)).ino).toBe(ino)
  await writeFileIfChanged(path, 'two')
  expect(await readFile(path, 'utf8')).toBe('two')
})
