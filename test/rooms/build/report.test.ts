import { describe, expect, test } from 'vitest'
import type { Entry, Section } from '../../../src/build/evaluated.ts'
import { createProject } from '../../../src/build/project.ts'
import { toRefusalText, toReport } from '../../../src/build/report.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'

const project = createProject('/shop')
const refusals = [{ files: ['tools/a.ts'], why: 'It exports nothing.' }]

function entry(key: string, file: string, section: Section = 'tools'): Entry {
  const uniqueKeys = [{ key, why: `Both are "${key}".` }]
  return { section, key, uniqueKeys, file, usesJsonSchema: false, members: {} }
}

test('prints refusals file by file, each once', () => {
  const [one] = refusals
  const other = { files: ['tools/b.ts'], why: 'Other.' }
  const again = { files: ['tools/a.ts'], why: 'And this.' }
  expect(toRefusalText([...refusals, other, again, ...(one ? [one] : [])])).toBe(
    'tools/a.ts\n  - It exports nothing.\n  - And this.\n\ntools/b.ts\n  - Other.',
  )
})

test('prints nothing that a terminal would obey or hide', () => {
  const why = 'No\u001B[31m\u200B.\n\tYes.'
  expect(toRefusalText([{ files: ['tools/a.ts'], why }])).toBe(
    'tools/a.ts\n  - No<U+001B>[31m<U+200B>.\n  Yes.',
  )
})

test('a refusal fails the command, which says that nothing was written', () => {
  const report = toReport({ kind: 'refused', refusals, stillServing: false })
  expect(report.exitCode).toBe(1)
  expect(report.stderr).toMatch(/tools\/a\.ts[^]*Nothing was written\.$/)
})

const main = { unexported: [], renamed: [], hasAuth: true, servesLegacy: true, hidden: [] }
const config = { undeclaredClasses: [], newTag: 'v2', cachesListings: null, cachesDefault: null }

test('a refusal while the last good tools are served does not fail the command', () => {
  const report = toReport({ kind: 'refused', refusals, stillServing: true })
  expect(report.exitCode).toBe(0)
  expect(report.stderr).toMatch(/tools\/a\.ts[^]*still served\.$/)
})

test('a project without tools succeeds, with a warning about how to start', () => {
  const report = toReport({
    kind: 'good',
    project,
    config,
    main,
    warnings: [],
    entries: [],
    wrote: '.helve/registry.ts',
  })
  expect(report).toMatchObject({
    exitCode: 0,
    stdout: 'helve: 0 tools in .helve/registry.ts, 1 warning',
  })
  expect(report.stderr).toContain('There are no tools in tools/ yet.')
})

test('warns of names of tools that the APIs of models refuse', () => {
  const named = (key: string, section?: Section): string =>
    toReport({
      kind: 'good',
      project,
      config,
      main,
      entries: [entry(key, 'tools/a.ts', section)],
      warnings: [],
    }).stderr
  expect(named('billing_re-fund2')).toBe('')
  expect(named('a'.repeat(64))).toBe('')
  expect(named('notes.all', 'resources')).toBe('')
  expect(named('billing.refund')).toMatch(
    /^Warning: tools\/a\.ts: the name "billing\.refund" has a dot/,
  )
  expect(named('a'.repeat(65))).toMatch(/has more than 64 characters/)
})

describe('a resource within a template that does not guard it', () => {
  const warnings = (...uris: readonly (readonly [uri: string, members?: JsonObject])[]): string => {
    const entries = uris.map(([uri, members]) => ({
      ...entry(uri, `tools/${uri.length}.ts`, 'resources'),
      members: { uri, scopes: [], conditional: false, ...members },
    }))
    return toReport({ kind: 'good', project, config, main, entries, warnings: [] }).stderr
  }
  const secret = { scopes: ['admin'] }

  test.each<[string, JsonObject, string, JsonObject | null]>([
    ['docs://secret/{id}', secret, 'docs://{+path}', {}],
    ['docs://secret/{id}', { conditional: true }, 'docs://{+path}', {}],
    ['docs://secret/{id}', { conditional: true }, 'docs://{+path}', { conditional: true }],
    ['docs://secret/{id}', secret, 'docs://{+path}', { scopes: ['user'] }],
    ['docs://secret', secret, 'docs://{name}', {}],
    ['docs://secret/{+path}', secret, 'docs://{a}/{b}', {}],
    ['docs://secret{/a,b}', secret, 'docs://{+path}', {}],
    ['docs://secret/{id}{?q}', secret, 'docs://secret/{id}/raw{?q}', null],
    ['docs://secret/{id}', secret, 'docs://secret/{id}{?q}', {}],
    ['docs://{+path}', secret, 'docs://public/{+path}', null],
    ['docs://secret/{id}', secret, 'docs://{+path}', { scopes: ['admin', 'user'] }],
    ['docs://secret/{id}', secret, 'docs://open/{+path}', null],
    ['docs://secret/{id}', secret, 'docs://secret/about', null],
  ])('%s with %j, and %s with %j', (uri, members, other, others) => {
    const isWarned = others !== null && !String(others['scopes']).includes('admin')
    const text = warnings([uri, members], [other, others ?? {}])
    expect(text.includes(`serves ${other}, which includes ${uri} of`)).toBe(isWarned)
  })
})

describe('a cache that is not enabled', () => {
  const kept = (members: JsonObject, cachesListings: boolean | null = null): string => {
    const one = { ...entry('a', 'tools/a.ts'), members }
    const settings = { ...config, cachesListings }
    return toReport({ kind: 'good', project, config: settings, main, entries: [one], warnings: [] })
      .stderr
  }
  const tool = { cache: { ttlMs: 60_000, staleMs: 0, shared: true } }

  test.each([tool, { ttlMs: 60_000, asks: false }, { ttlMs: 0, dynamic: true }])(
    'is a warning if wrangler.toml does not mention it: %j',
    (members) => {
      expect(kept(members)).toMatch(
        /^Warning: wrangler\.toml does not enable Workers Cache.*tools\/a\.ts/,
      )
    },
  )

  test('is no warning if wrangler.toml enables or disables it', () => {
    expect(kept(tool, true)).toBe('')
    expect(kept(tool, false)).toBe('')
  })

  test.each([{ cache: null }, { ttlMs: 0, asks: false }, { ttlMs: 60_000, asks: true }])(
    'is no warning for %j',
    (members) => expect(kept(members)).toBe(''),
  )
})

test('warns of a cache for the default entrypoint', () => {
  const settings = { ...config, cachesDefault: true }
  const entries = [entry('a', 'tools/a.ts')]
  expect(
    toReport({ kind: 'good', project, config: settings, main, entries, warnings: [] }).stderr,
  ).toMatch(
    /^Warning: wrangler\.toml enables Workers Cache for the default entrypoint.*\[exports\.default\]/,
  )
})

test('a good build prints how many of each kind it wrote, and where', () => {
  const entries = [
    entry('a', 'tools/a.ts', 'prompts'),
    entry('b', 'tools/b.ts'),
    entry('c', 'tools/c.ts', 'prompts'),
  ]
  expect(
    toReport({
      kind: 'good',
      project,
      config,
      main,
      warnings: [],
      entries,
      wrote: '.helve/registry.ts',
    }),
  ).toEqual({
    exitCode: 0,
    stdout: 'helve: 1 tool, 2 prompts in .helve/registry.ts',
    stderr: '',
  })
})

test('warns of renamed imports of the main module', () => {
  const main = {
    unexported: [],
    renamed: ['It imports the old.'],
    hasAuth: true,
    servesLegacy: true,
    hidden: [],
  }
  const entries = [entry('a', 'tools/a.ts')]
  expect(toReport({ kind: 'good', project, config, entries, main, warnings: [] }).stderr).toBe(
    'Warning: It imports the old.\n',
  )
})

test('counts its warnings, which fail a strict check alone', () => {
  const entries = [entry('a', 'tools/a.ts')]
  const good = { kind: 'good', project, config, main, entries, warnings: [] } as const
  const warned = { ...good, warnings: ['One.', 'Two.'] }
  expect(toReport(good, true)).toEqual({
    exitCode: 0,
    stdout: 'helve: 1 tool, no problems',
    stderr: '',
  })
  expect(toReport(warned)).toEqual({
    exitCode: 0,
    stdout: 'helve: 1 tool, 2 warnings',
    stderr: 'Warning: One.\n\nWarning: Two.\n',
  })
  expect(toReport(warned, true)).toMatchObject({ exitCode: 1, stdout: 'helve: 1 tool, 2 warnings' })
})
