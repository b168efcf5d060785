import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/*
 * The files directly in src/build run in Node, and its folders run in workerd. In each list a part
 * may import only from parts below it; all may import the shared files.
 */
const node = [
  'build.ts',
  'report.ts',
  'classes.ts',
  'scopes.ts',
  'last-good.ts',
  'registry-source.ts',
  'local-issuer.ts',
  'inspect.ts',
  'main-module.ts',
  'literal-options.ts',
  'bundle.ts',
  'wrangler-plugins.ts',
  'workerd.ts',
  'project.ts',
  'wrangler-config.ts',
  'wrangler-file.ts',
  'worker-env.ts',
  'wrangler-packages.ts',
]
const workerd = ['evaluation', 'kinds', 'entries', 'schema']
const shared = ['evaluated.ts', 'errors.ts', 'hidden.ts']

const folder = join(import.meta.dirname, '../../../src/build')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))

const partOf = (file: string): string => file.split('/')[0] ?? file

function importsOf({ file, text }: (typeof files)[number]): readonly string[] {
  return [...text.matchAll(/^(?:import|\}).* from '(\.[^']+)'/gm)]
    .map(([, specifier = '']) => normalize(join(file, '..', specifier)))
    .filter((target) => !target.startsWith('..'))
    .map(partOf)
}

test('every file and folder of the build is in a list', () => {
  const parts = new Set(files.map(({ file }) => partOf(file)))
  expect(parts).toEqual(new Set([...node, ...workerd, ...shared]))
})

test.each([
  ['Node', node],
  ['workerd', workerd],
])('the part that runs in %s imports only from below, and nothing of the other part', (_, list) => {
  const strays = files
    .filter(({ file }) => list.includes(partOf(file)))
    .flatMap((entry) => importsOf(entry).map((target) => ({ from: entry.file, target })))
    .filter(({ target }) => !shared.includes(target))
    .filter(({ from, target }) => list.indexOf(target) < list.indexOf(partOf(from)))
  expect(strays).toEqual([])
})

test('the part that runs in workerd imports nothing that only Node has', () => {
  const packages = new Set([...builtinModules, 'esbuild', 'workerd'])
  const strays = files
    .filter(({ file }) => !node.includes(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^(?:import|\}).* from '([^.'][^']*)'/gm)].map(([, specifier = '']) => ({
        file,
        specifier,
      })),
    )
    .filter(({ specifier }) => specifier.startsWith('node:') || packages.has(specifier))
  expect(strays).toEqual([])
})
