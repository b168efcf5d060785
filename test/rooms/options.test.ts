import { expect, test } from 'vitest'
import { createWorker } from 'helve'
import { toRegistry } from '../spec/registry.ts'

/* What TypeScript refuses, from whoever does not ask it: said at the start, and not at a request. */

const registry = toRegistry({})
const options: Parameters<typeof createWorker>[0] = { name: 'spec', version: '1.0.0', registry }

test.each([
  [{ page: 0 }, 'page is 0. Give the number of entries a page, 1 or more.'],
  [{ hub: { shards: 1.5 } }, 'hub.shards is 1.5.'],
  [{ cache: 'edge' }, 'cache is "edge". Say'],
  [{ cache: true }, 'cache is true. Say'],
  [{ fresh: { lists: 10 } }, 'fresh has lists: 10. It takes lists, discover, stale'],
  [{ fresh: { list: '5m' } }, 'fresh has list: "5m". It takes lists, discover, stale'],
])('%j is refused at the start', (wrong, sentence) => {
  expect(() => createWorker(Object.assign({ ...options }, wrong))).toThrow(sentence)
})

test('`colo` needs what tells one deploy from another', () => {
  const { versionMetadata: _, ...bindings } = registry.bindings
  const unversioned = { ...registry, bindings }
  expect(() => createWorker({ ...options, registry: unversioned, cache: 'colo' })).toThrow(
    'Add [version_metadata] with binding = "VERSION" to wrangler.toml.',
  )
})
