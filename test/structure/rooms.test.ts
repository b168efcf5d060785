import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/*
 * The architecture, held: a room may import only from those that stand below it in this list.
 */
const rooms = [
  'build',
  'index.ts',
  'worker.ts',
  'server.ts',
  'options.ts',
  'serve',
  'mcp',
  'cache',
  'auth',
  'call.ts',
  'state',
  'objects',
  'out',
  'define',
  'schema',
  'protocol',
  'util',
]

const maxLines = 350
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

test('every room is in the list', () => {
  const found = new Set(files.map(({ file }) => roomOf(file)))
  expect([...found].filter((room) => !rooms.includes(room) && room !== 'env.d.ts')).toEqual([])
})

test('a room imports only from rooms below it', () => {
  const strays = files
    .flatMap((entry) => importsOf(entry).map((target) => ({ from: entry.file, target })))
    .filter(({ from, target }) => rooms.indexOf(roomOf(from)) > rooms.indexOf(roomOf(target)))
  expect(strays).toEqual([])
})

test(`no file is longer than ${maxLines} lines`, () => {
  const long = files.filter(({ text }) => text.split('\n').length - 1 > maxLines)
  expect(long.map(({ file }) => file)).toEqual([])
})

test('no room has a barrel file', () => {
  expect(files.filter(({ file }) => file.endsWith('/index.ts')).map(({ file }) => file)).toEqual([])
})

test('the list finds a stray import when there is one', () => {
  const stray = { file: 'util/a.ts', text: "import { x } from '../protocol/b.ts'\n" }
  expect(importsOf(stray)).toEqual(['protocol/b.ts'])
  expect(rooms.indexOf('util')).toBeGreaterThan(rooms.indexOf(roomOf('protocol/b.ts')))
})

test('every requirement in docs/specification.md names a test that exists', () => {
  const docs = resolve(source, '../docs')
  const page = readFileSync(join(docs, 'specification.md'), 'utf8')
  const rows = [...page.matchAll(/\]\((\.\.\/test\/spec\/[^)]+)\): (.+) \|$/gm)]
  expect(rows.length).toBeGreaterThan(25)
  const lost = rows.filter(([, file = '', title = '']) => {
    return !readFileSync(join(docs, file), 'utf8').includes(title)
  })
  expect(lost.map(([, file, title]) => `${file}: ${title}`)).toEqual([])
})
