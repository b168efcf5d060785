import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProject } from '../../../src/build/project.ts'
import { loadWranglerConfig, readWranglerConfig } from '../../../src/build/wrangler-config.ts'
import { toWorkerdConfig } from '../../../src/build/workerd.ts'
import { createTemporaryProject } from './temporary-project.ts'

const date = { compatibility_date: '2026-11-02' }

test('reads dates, flags and limits of every environment', () => {
  const config = readWranglerConfig({
    ...date,
    compatibility_flags: ['nodejs_compat'],
    vars: { PLACE: 'Ulm' },
    ratelimits: [{ name: 'CALLS', simple: { limit: 5, period: 60 } }, { name: 7 }],
    env: {
      staging: {
        vars: { PLACE: 'Bonn', DEBUG: 'yes' },
        ratelimits: [{ name: 'STAGED', simple: { limit: 1, period: 10 } }],
      },
    },
  })
  expect(config).toMatchObject({
    compatibilityDate: '2026-11-02',
    compatibilityFlags: ['nodejs_compat'],
    bindings: {
      vars: ['PLACE', 'DEBUG'],
      limits: { CALLS: { limit: 5, period: 60 }, STAGED: { limit: 1, period: 10 } },
    },
  })
})

test('reads module rules as wrangler does: one of a type ends it, except with fallthrough', () => {
  const rules = [
    { type: 'Data', globs: ['**/*.png'] },
    { type: 'Text', globs: ['**/*.md'], fallthrough: true },
    { type: 'ESModule', globs: ['**/*.js'] },
  ]
  const { bundling } = readWranglerConfig({ ...date, rules })
  expect(bundling.rules).toEqual([
    { type: 'Data', globs: ['**/*.png'], ignored: false },
    { type: 'Text', globs: ['**/*.md'], ignored: false },
    { type: 'Text', globs: ['**/*.txt', '**/*.html', '**/*.sql'], ignored: false },
    { type: 'Data', globs: ['**/*.bin'], ignored: true },
    { type: 'CompiledWasm', globs: ['**/*.wasm', '**/*.wasm?module'], ignored: false },
  ])
})

test.each<[string, readonly string[], object]>([
  ['made', [], { new_sqlite_classes: ['Handles', 'Hub', 'Bridge', 'Till'] }],
  ['made before Bridge', ['Bridge'], { new_sqlite_classes: ['Handles', 'Hub'] }],
  ['made in the older storage', ['Handles', 'Hub', 'Bridge'], { new_classes: ['Handles', 'Hub'] }],
  ['renamed', ['Handles', 'Bridge'], { renamed_classes: [{ from: 'Bell', to: 'Hub' }] }],
  [
    'transferred',
    ['Hub', 'Bridge'],
    { transferred_classes: [{ from_script: 'old', to: 'Handles' }] },
  ],
])('tells classes with a migration from those without: %s', (_, undeclared, migration) => {
  const config = readWranglerConfig({ ...date, migrations: [migration] })
  expect(config.undeclaredClasses).toEqual(undeclared)
  const declared = ['Handles', 'Hub', 'Bridge'].filter((name) => !undeclared.includes(name))
  expect(config.declaredClasses).toEqual(declared)
})

test.each([
  [undefined, 'v1'],
  [['v1'], 'v2'],
  [['first', 'second'], 'v3'],
  [['v2', 'v3'], 'v4'],
  [['v2'], 'v3'],
])('finds a tag that no migration has beside %j', (tags, newTag) => {
  const migrations = tags?.map((tag) => ({ tag }))
  expect(readWranglerConfig({ ...date, ...(migrations && { migrations }) }).newTag).toBe(newTag)
})

const cache = (enabled: boolean): object => ({ cache: { enabled } })

test.each<[boolean | null, string, object]>([
  [null, 'if it is not set', {}],
  [true, 'for the Worker', cache(true)],
  [false, 'for the Worker', cache(false)],
  [true, 'for another entrypoint alone', { ...cache(true), exports: { default: cache(false) } }],
  [false, 'for the entrypoint', { ...cache(true), exports: { Listings: cache(false) } }],
  [true, 'for the entrypoint', { ...cache(false), exports: { Listings: cache(true) } }],
  [true, 'in an environment', { ...cache(false), env: { production: cache(true) } }],
])('reads whether the cache of Listings is enabled: %s %s', (expected, _, said) => {
  expect(readWranglerConfig({ ...date, ...said }).cachesListings).toBe(expected)
})

test.each<[boolean | null, object]>([
  [null, {}],
  [true, cache(true)],
  [false, { ...cache(true), exports: { default: cache(false) } }],
  [
    false,
    { ...cache(false), exports: { default: cache(false) }, env: { production: cache(true) } },
  ],
  [true, { ...cache(true), exports: { Listings: cache(true) } }],
])('reads whether the cache of the default entrypoint is enabled: %s', (expected, said) => {
  expect(readWranglerConfig({ ...date, ...said }).cachesDefault).toBe(expected)
})

test('finds the binding of the version metadata', () => {
  const said = { version_metadata: { binding: 'VERSION' } }
  expect(readWranglerConfig({ ...date, ...said }).bindings.versionMetadata).toBe('VERSION')
  expect(readWranglerConfig(date).bindings).not.toHaveProperty('versionMetadata')
})

test('ignores settings of a wrong shape, which wrangler reports', () => {
  const odd = { ...date, compatibility_flags: 'x', ratelimits: {}, env: [], rules: [null, {}] }
  expect(readWranglerConfig(odd)).toMatchObject({
    compatibilityFlags: [],
    bindings: { vars: [], limits: {} },
  })
})

test.each([
  ['no compatibility date', 'name = "shop"', 'wrangler.toml: compatibility_date is missing.'],
  ['invalid TOML', 'name = "shop"\nmain = ', 'wrangler.toml:2: Invalid TOML document'],
])('refuses a configuration with %s', async (_, text, start) => {
  const project = await createTemporaryProject({ 'wrangler.toml': text })
  await expect(loadWranglerConfig(project.config, project)).rejects.toThrow(start)
})

test('reads a date of TOML in the same way from the file and from the cache', async () => {
  const text = 'compatibility_date = 2026-11-02\n[vars]\nDAY = 2026-11-02T00:00:00Z\n'
  const project = await createTemporaryProject({ 'wrangler.toml': text })
  const first = await loadWranglerConfig(project.config, project)
  expect(first.env.vars).toEqual({ DAY: '2026-11-02T00:00:00.000Z' })
  expect(await loadWranglerConfig(project.config, project)).toEqual(first)
})

const jsonc = `{
  // wrangler's own comment
  "compatibility_date": "2026-11-02",
  "vars": { "PLACE": "Ulm", },
  "ratelimits": [{ "name": "CALLS", "simple": { "limit": 5, "period": 60 } }],
}`

test.each(['wrangler.json', 'wrangler.jsonc'])('reads %s before wrangler.toml', async (name) => {
  const { root, out } = await createTemporaryProject({ [name]: jsonc })
  const { config } = createProject(root)
  expect(config).toBe(join(root, name))
  expect(await loadWranglerConfig(config, { out, environment: null })).toMatchObject({
    compatibilityDate: '2026-11-02',
    bindings: { vars: ['PLACE'], limits: { CALLS: { limit: 5, period: 60 } } },
  })
})

test('reads a configuration again when its text has changed', async () => {
  const project = await createTemporaryProject({})
  const dateOf = async (): Promise<string> =>
    (await loadWranglerConfig(project.config, project)).compatibilityDate
  expect([await dateOf(), await dateOf()]).toEqual(['2026-11-02', '2026-11-02'])
  await project.write({ 'wrangler.toml': 'compatibility_date = "2026-10-01"' })
  expect(await dateOf()).toBe('2026-10-01')
})

test('reads a configuration where nothing can be kept', async () => {
  const project = await createTemporaryProject({ '.helve': 'a file' })
  const { compatibilityDate } = await loadWranglerConfig(project.config, project)
  expect(compatibilityDate).toBe('2026-11-02')
})

test('names the line of JSON that does not parse', async () => {
  const project = await createTemporaryProject({ 'wrangler.jsonc': '{\n  "main": \n}' })
  const { config } = createProject(project.root)
  await expect(loadWranglerConfig(config, project)).rejects.toThrow('wrangler.jsonc:3: ')
})

test('names a configuration that was not found', async () => {
  const project = await createTemporaryProject({})
  await expect(loadWranglerConfig(`${project.root}/other.toml`, project)).rejects.toThrow(
    'other.toml was not found.',
  )
})

test.each([
  ['2026-11-02', '2026-11-02'],
  ['2027-01-01', '2026-11-09'],
])('evaluates %s at %s where workerd knows 2026-11-09 at most', (wanted, used) => {
  const config = readWranglerConfig({ compatibility_date: wanted })
  const text = toWorkerdConfig(
    [
      { path: '/out/main.js', type: 'ESModule' },
      { path: '/out/a.txt', type: 'Text' },
    ],
    config,
    '2026-11-09',
  )
  expect(text).toContain(`compatibilityDate = "${used}"`)
  expect(text).toContain('(name = "main.js", esModule = embed "main.js")')
  expect(text).toContain('(name = "a.txt", text = embed "a.txt")')
})
