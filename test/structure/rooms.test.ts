import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/*
 * The architecture, held. A room may import only from the rooms named beside it, so that one request
 * walks through them in one direction and never back.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  wire: [],
  schema: ['wire', 'kit'],
  define: ['schema', 'wire', 'kit'],
  state: ['define', 'schema', 'wire', 'kit'],
  registry: ['define', 'schema', 'wire', 'kit'],
  calls: ['state', 'define', 'schema', 'wire', 'kit'],
  cache: ['registry', 'define', 'wire', 'kit'],
  access: ['wire', 'kit'],
  protocol: ['registry', 'calls', 'cache', 'state', 'schema', 'wire', 'kit'],
  transport: ['protocol', 'cache', 'access', 'wire', 'kit'],
}

/** The rooms and files that stand above the walk and may look into every room. */
const above = ['cli', 'testing', 'web', 'index.ts', 'server.ts', 'worker-options.ts', 'worker.ts']

const maxLines = 150
const source = resolve(import.meta.dirname, '../../src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.m?[jt]s$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(source, file), 'utf8') }))

const roomOf = (file: string): string => file.split('/')[0] ?? file

function importsOf({ file, text }: (typeof files)[number]): string[] {
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
    .map(([, target = '']) => relative(source, resolve(source, dirname(file), target)))
    .filter((target) => !target.startsWith('..'))
}

test('every room is in the table', () => {
  const rooms = new Set(files.map(({ file }) => roomOf(file)))
  const known = new Set([...Object.keys(mayImport), ...above, 'env.d.ts'])
  expect([...rooms].filter((room) => !known.has(room))).toEqual([])
})

test('a room imports only what the table allows', () => {
  const strays = files
    .filter(({ file }) => !above.includes(roomOf(file)))
    .flatMap((entry) => importsOf(entry).map((target) => ({ from: entry.file, target })))
    .filter(({ from, target }) => {
      const [room, other] = [roomOf(from), roomOf(target)]
      return room !== other && !mayImport[room]?.includes(other)
    })
  expect(strays).toEqual([])
})

test(`no file is longer than ${maxLines} lines`, () => {
  const long = files.filter(({ text }) => text.split('\n').length - 1 > maxLines)
  expect(long.map(({ file }) => file)).toEqual([])
})

test('no room has a barrel file', () => {
  expect(files.filter(({ file }) => file.endsWith('/index.ts')).map(({ file }) => file)).toEqual([])
})

test('the table finds a stray import and a long file when there is one', () => {
  const stray = { file: 'kit/a.ts', text: "import { x } from '../wire/b.ts'\n" }
  expect(importsOf(stray)).toEqual(['wire/b.ts'])
  expect(mayImport['kit']).not.toContain(roomOf('wire/b.ts'))
})

test('every requirement in the README names a test that is there', () => {
  const root = resolve(source, '..')
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const rows = [...readme.matchAll(/\]\((test\/spec\/[^)]+)\): (.+) \|$/gm)]
  expect(rows.length).toBeGreaterThan(25)
  const lost = rows.filter(([, file = '', title = '']) => {
    return !readFileSync(join(root, file), 'utf8').includes(title)
  })
  expect(lost.map(([, file, title]) => `${file}: ${title}`)).toEqual([])
})
