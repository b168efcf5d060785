import { describe, expect, test } from 'vitest'
import { findDuplicates } from '../../../src/build/inspect.ts'
import type { Entry, Section } from '../../../src/build/kinds/evaluated.ts'
import { createProject } from '../../../src/build/project.ts'
import { toRefusalText, toReport } from '../../../src/build/report.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'

const project = createProject('/shop')
const refusals = [{ files: ['tools/a.ts'], why: 'It exports nothing.' }]

function entry(key: string, file: string, section: Section = 'tools'): Entry {
  const claims = [{ key, why: `Both are "${key}".` }]
  return { section, key, claims, file, usesJsonSchema: false, members: {} }
}

test('names every file that claims the same', () => {
  const entries = [entry('a', 'tools/a.ts'), entry('b', 'tools/b.ts'), entry('a', 'tools/c.ts')]
  expect(findDuplicates(entries)).toEqual([
    { files: ['tools/a.ts', 'tools/c.ts'], why: 'Both are "a".' },
  ])
})

test('a tool and a prompt may have one name', () => {
  const entries = [entry('a', 'tools/a.ts'), entry('a', 'tools/b.ts', 'prompts')]
  expect(findDuplicates(entries)).toEqual([])
})

test('prints refusals file by file, each once', () => {
  const [one] = refusals
  const other = { files: ['tools/b.ts'], why: 'Other.' }
  const again = { files: ['tools/a.ts'], why: 'And this.' }
  expect(toRefusalText([...refusals, other, again, ...(one ? [one] : [])])).toBe(
    'tools/a.ts\n  - It exports nothing.\n  - And this.\n\ntools/b.ts\n  - Other.',
  )
})

test('a refusal fails the command and says that nothing was written', () => {
  const report = toReport({ kind: 'refused', refusals, stillServing: false })
  expect(report.exitCode).toBe(1)
  expect(report.errors).toMatch(/tools\/a\.ts[^]*wrote nothing\.$/)
})

const config = { undeclaredClasses: [], cachesListings: null, cachesDefault: null }

test('a refusal while the last good tools are served does not fail the command', () => {
  const report = toReport({ kind: 'refused', refusals, stillServing: true })
  expect(report.exitCode).toBe(0)
  expect(report.errors).toMatch(/tools\/a\.ts[^]*still served\.$/)
})

test('a project without tools is told how to begin, and does not fail', () => {
  const report = toReport({
    kind: 'good',
    project,
    config,
    unexported: [],
    entries: [],
    wrote: '.helve/registry.ts',
  })
  expect(report).toMatchObject({ exitCode: 0, news: 'helve: 0 tools in .helve/registry.ts' })
  expect(report.errors).toContain('There is no tool in tools/ yet.')
})

test('classes without storage are named, with what to write', () => {
  const entries = [entry('a', 'tools/a.ts')]
  const report = toReport({
    kind: 'good',
    project,
    config: { ...config, undeclaredClasses: ['Hub'] },
    unexported: [],
    entries,
  })
  expect(report).toMatchObject({ exitCode: 0, news: 'helve: 1 tool, all good' })
  expect(report.errors).toMatch(
    /^Warning: wrangler\.toml gives Hub no storage.*new_sqlite_classes = \["Hub"\]/,
  )
})

describe('what the edge would keep', () => {
  const kept = (members: JsonObject, cachesListings: boolean | null = null): string => {
    const one = { ...entry('a', 'tools/a.ts'), members }
    const settings = { ...config, cachesListings }
    return toReport({ kind: 'good', project, config: settings, unexported: [], entries: [one] })
      .errors
  }
  const tool = { cache: { ttlMs: 60_000, staleMs: 0, shared: true } }

  test.each([tool, { ttlMs: 60_000, asks: false }, { ttlMs: 0, dynamic: true }])(
    'is named where wrangler.toml says nothing of a cache: %j',
    (members) => {
      expect(kept(members)).toMatch(
        /^Warning: wrangler\.toml does not turn on the cache.*tools\/a\.ts/,
      )
    },
  )

  test('is not where it does, or says that there is none', () => {
    expect(kept(tool, true)).toBe('')
    expect(kept(tool, false)).toBe('')
  })

  test.each([{ cache: null }, { ttlMs: 0, asks: false }, { ttlMs: 60_000, asks: true }])(
    'is nothing of %j',
    (members) => expect(kept(members)).toBe(''),
  )
})

test('what the main module should export is said, with what to write', () => {
  const entries = [entry('a', 'tools/a.ts')]
  const unexported = ['Hub', 'Listings']
  expect(toReport({ kind: 'good', project, config, entries, unexported }).errors).toContain(
    'does not export Hub, Listings, where the platform looks for them. Write `export const { Hub, Listings }',
  )
})

test('a cache that stands before the Worker itself is warned of', () => {
  const settings = { ...config, cachesDefault: true }
  const entries = [entry('a', 'tools/a.ts')]
  expect(
    toReport({ kind: 'good', project, config: settings, unexported: [], entries }).errors,
  ).toMatch(
    /^Warning: wrangler\.toml has the cache stand before the Worker itself.*\[exports\.default\]/,
  )
})

test('a good build says how many of each kind went where', () => {
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
      unexported: [],
      entries,
      wrote: '.helve/registry.ts',
    }),
  ).toEqual({
    exitCode: 0,
    news: 'helve: 1 tool, 2 prompts in .helve/registry.ts',
    errors: '',
  })
})
