import { expect, test } from 'vitest'
import { findClassWarnings } from '../../../src/build/classes.ts'
import type { Entry, Section, Stored, StoredClass } from '../../../src/build/evaluated.ts'

function entry(key: string, stored: Stored, section: Section = 'tools'): Entry {
  const file = `tools/${key}.ts`
  return { section, key, uniqueKeys: [], file, usesJsonSchema: false, members: {}, stored }
}

const plain = entry('plain', { Handles: [], Hub: [], Bridge: [] })
const pay = entry('pay', {
  Handles: ['`limit` of 5 in 1m', '`ask`'],
  Hub: ['`ask`'],
  Bridge: ['`ask`'],
})
const catalog = entry('shop://catalog', { Hub: [], Bridge: ['`resources/subscribe`'] }, 'resources')

interface Lacks {
  readonly undeclared?: readonly StoredClass[]
  readonly unexported?: readonly string[]
  readonly servesLegacy?: boolean
  readonly path?: string
}

function warningsOf(entries: readonly Entry[], lacks: Lacks): readonly string[] {
  const { undeclared = [], unexported = [], servesLegacy = true, path = 'wrangler.toml' } = lacks
  const config = { undeclaredClasses: undeclared, newTag: 'v2' }
  return findClassWarnings({ entries, path, config, main: { unexported, servesLegacy } })
}

test('a class without storage is named with what fails and the lines to add', () => {
  const slow = entry('slow', { Handles: ['`parallel`'], Hub: [] })
  const basket = entry('basket', { Handles: ['the handle'] }, 'handles')
  const entries = [pay, slow, plain, basket]
  expect(warningsOf(entries, { undeclared: ['Handles', 'Hub'] })).toEqual([
    'wrangler.toml declares no storage for Handles and Hub, so these will fail: pay (`limit` of 5 in ' +
      '1m, `ask`), slow (`parallel`), basket (the handle), notifications. Add to wrangler.toml:\n\n' +
      '    [[migrations]]\n    tag = "v2"\n    new_sqlite_classes = ["Handles", "Hub"]',
  ])
  expect(warningsOf(entries, { undeclared: ['Hub'] })).toEqual([
    expect.stringContaining('these will fail: pay (`ask`), notifications. Add'),
  ])
  expect(warningsOf([plain], { undeclared: ['Handles'] })).toEqual([
    expect.stringContaining('declares no storage for Handles. Add to'),
  ])
  expect(warningsOf(entries, {})).toEqual([])
})

test('a class that the main module does not export is named with the line to add', () => {
  expect(warningsOf([plain], { unexported: ['Hub', 'Listings'] })).toEqual([
    'The `main` module of wrangler.toml does not export Hub, Listings, and the platform looks for ' +
      'them there. Add `export const { Hub, Listings } = worker`.',
  ])
})

test('a project from before Bridge is told of it once, with both lines', () => {
  const lacks: Lacks = { undeclared: ['Bridge'], unexported: ['Bridge'] }
  expect(warningsOf([pay, plain, catalog], lacks)).toEqual([
    'wrangler.toml declares no storage for Bridge. Without Bridge, clients of the revisions before ' +
      '2026-07-28 cannot use: pay (`ask`), shop://catalog (`resources/subscribe`). ' +
      'Add to wrangler.toml:\n\n' +
      '    [[migrations]]\n    tag = "v2"\n    new_sqlite_classes = ["Bridge"]\n\n' +
      'And to `main`:\n\n    export const { Bridge } = worker\n\n' +
      'A Worker with createWorker({ legacy: false }) refuses these clients, and needs no Bridge.',
  ])
  const [inJson] = warningsOf([pay], { ...lacks, path: 'wrangler.jsonc' })
  expect(inJson).toContain(
    'Add to "migrations" of wrangler.jsonc:\n\n' +
      '    { "tag": "v2", "new_sqlite_classes": ["Bridge"] }\n',
  )
})

test('a class is told of with the others', () => {
  const lacks: Lacks = {
    undeclared: ['Handles', 'Hub', 'Bridge'],
    unexported: ['Bridge', 'Listings'],
  }
  expect(warningsOf([pay], lacks)).toEqual([
    expect.stringMatching(
      /Handles and Hub and Bridge, so these will fail: pay \(`limit` of 5 in 1m, `ask`\), notifications\. Without Bridge, [^]*\["Handles", "Hub", "Bridge"\]\n\nAnd to `main`:\n\n {4}export const \{ Bridge \} = worker$/,
    ),
    expect.stringContaining('does not export Listings,'),
  ])
})

test.each<[string, readonly Entry[], boolean]>([
  ['nothing asks and there are no resources', [plain], true],
  ['the Worker refuses the clients that need it', [pay, catalog], false],
])('Bridge may be absent where %s', (_, entries, servesLegacy) => {
  const lacks: Lacks = { undeclared: ['Bridge'], unexported: ['Bridge'], servesLegacy }
  expect(warningsOf(entries, lacks)).toEqual([])
})
