import { expect, test } from 'vitest'
import { defineTool, type Tool } from '../../../src/define/tool.ts'
import { toToolEntry } from '../../../src/build/entries/tool-entry.ts'

const common = { description: 'Searches.', hints: { readOnly: true }, run: () => 'found' } as const

function entryOf(tool: Tool): ReturnType<typeof toToolEntry>['entry'] {
  return toToolEntry('search', tool, { creatorOf: () => null }).entry
}

test('results are kept nowhere unless the tool says so', () => {
  expect(entryOf(defineTool(common)).cache).toBeNull()
})

test.each([
  ['for each caller alone', { cache: '5m' }, { ttlMs: 300_000, staleMs: 0, shared: false }],
  ['for everybody', { cache: '1h', shared: true }, { ttlMs: 3_600_000, staleMs: 0, shared: true }],
  [
    'for each caller, said so',
    { cache: '1s', shared: false },
    { ttlMs: 1_000, staleMs: 0, shared: false },
  ],
  [
    'for a while after that',
    { cache: '90s', stale: '10m' },
    { ttlMs: 90_000, staleMs: 600_000, shared: false },
  ],
] as const)('results are kept %s', (_, members, cache) => {
  expect(entryOf(defineTool({ ...common, ...members })).cache).toEqual(cache)
})

test('clients are not told in the list: it is no business of theirs', () => {
  const kept = entryOf(defineTool({ ...common, cache: '5m', stale: '1m', shared: true }))
  expect(kept.listed).toBe(entryOf(defineTool(common)).listed)
})
