import { expect, test } from 'vitest'
import { createWorker } from 'helve'
import { toRegistry } from '../spec/registry.ts'

/* What TypeScript refuses, from whoever does not ask it: said at the start, and not at a request. */

const registry = toRegistry({})
const options: Parameters<typeof createWorker>[0] = { name: 'spec', version: '1.0.0', registry }

test.each([
  [{ page: 0 }, '`page` is 0. It must be a whole number of entries, 1 or more.'],
  [{ hub: { shards: 1.5 } }, '`hub.shards` is 1.5.'],
  [{ cache: 'edge' }, '`cache` is "edge". It must be an object such as'],
  [{ cache: true }, '`cache` is true. It must be an object such as'],
  [{ cache: 'colo' }, '`cache` is now an object. Write cache: { store: "colo" }.'],
  [{ cache: false }, '`cache` is now an object. Write cache: { store: false }.'],
  [{ cache: { store: 'edge' } }, '`cache.store` is "edge". It must be'],
  [{ cache: { store: true } }, '`cache.store` is true. It must be'],
  [{ cache: { lists: 10 } }, "`cache.lists` is 10. It must be a duration such as '5m'."],
  [
    { cache: { list: '5m' } },
    '`cache.list` is not an option. Options of `cache`: `lists`, `discover`',
  ],
  [{ fresh: { lists: '5m' } }, '`fresh` is now `cache`. Write cache: {"lists":"5m"}.'],
])('%j is refused at the start', (wrong, sentence) => {
  expect(() => createWorker(Object.assign({ ...options }, wrong))).toThrow(sentence)
})

test('`colo` needs what tells one deploy from another', () => {
  const { versionMetadata: _, ...bindings } = registry.bindings
  const unversioned = { ...registry, bindings }
  expect(() =>
    createWorker({ ...options, registry: unversioned, cache: { store: 'colo' } }),
  ).toThrow('Add [version_metadata] with binding = "VERSION" to wrangler.toml.')
})
