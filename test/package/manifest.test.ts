import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { build } from 'esbuild'
import { readFile, readdir } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { publint } from 'publint'
import { expect, inject, test } from 'vitest'

const unpacked = inject('unpacked')
const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'))
const files = await readdir(unpacked, { recursive: true, encoding: 'utf8' })

test('publint has nothing to say about the package', async () => {
  const { messages } = await publint({ pkgDir: unpacked, pack: false })
  expect(messages).toEqual([])
})

test('every entry point has types that match its code, for importers of ES modules', async () => {
  const tarball = createPackageFromTarballData(await readFile(inject('tarball')))
  const checked = await checkPackage(tarball)
  if (checked.types === false) throw new Error('The package has no types.')
  // CommonJS and Node 10 cannot import a package of ES modules
  const problems = checked.problems.filter(
    (problem) =>
      !('resolutionKind' in problem) ||
      problem.resolutionKind === 'bundler' ||
      problem.resolutionKind === 'node16-esm',
  )
  expect(problems).toEqual([])
})

test('the package declares each package that its code imports, and no other', async () => {
  // not by their text: what `helve new` writes has imports too
  const { metafile } = await build({
    entryPoints: files.filter((file) => file.endsWith('.js')).map((file) => join(unpacked, file)),
    bundle: false,
    write: false,
    metafile: true,
    outdir: unpacked,
  })
  const specifiers = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports.map(({ path }) => path))
    .filter((specifier) => !specifier.startsWith('.'))
  const packages = specifiers
    .filter((name) => !name.startsWith('cloudflare:') && !builtinModules.includes(name))
    .filter((name) => !name.startsWith('node:'))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
  expect([...new Set(packages)].toSorted()).toEqual(Object.keys(manifest.dependencies).toSorted())
})

test('installing Helve brings no workerd, esbuild or Node', () => {
  const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
  expect(names).toEqual([
    '@cfworker/json-schema',
    'fastest-levenshtein',
    'itty-router',
    'jose',
    'jsonc-parser',
  ])
  expect(manifest.peerDependencies).toEqual({ wrangler: '^4.0.0' })
})

test('the package has no TypeScript sources, and nothing of the example or the tests', () => {
  expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([])
  expect(files.filter((file) => !file.startsWith('dist')).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'package.json',
  ])
  expect(files).not.toContain('dist/worker.js')
})
