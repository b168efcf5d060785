import { expect, test } from 'vitest'
import { createWorker } from 'helve'
import { createAnotherWorker } from '../../src/server.ts'
import { toRegistry } from '../spec/registry.ts'

/* Mistakes in options, TypeScript's among them: each is an error at the start, and not at a request. */

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
  [{ cache: { stale: '5 minutes' } }, '`cache.stale` is "5 minutes". It must be a duration'],
  [{ page: -1 }, '`page` is -1.'],
  [{ hub: { shards: 10_001 } }, '`hub.shards` is 10001.'],
  [{ maxResultBytes: Number.NaN }, '`maxResultBytes` is NaN. It must be a whole number of bytes'],
  [{ limit: '' }, '`limit` of createWorker is "". It must be the name of a [[ratelimits]] binding'],
  [{ limit: 5 }, '`limit` of createWorker is 5. It must be the name'],
  [{ limit: null }, '`limit` of createWorker is null. It must be the name'],
  [
    { limit: { tokens: 5, per: '1h' } },
    '`limit` of createWorker is {"tokens":5,"per":"1h"}. It must be the name of a [[ratelimits]] ' +
      'binding, such as "CALLS". An exact limit, such as { tokens: 100, per: "1h" }, is an option of',
  ],
  [{ limit: 'constructor' }, '`limit` is "constructor", but wrangler.toml has no'],
  [
    { hub: { shards: 0 } },
    '`hub.shards` is 0. It must be a whole number of Hub objects, 1 to 10000.',
  ],
  [
    { hub: { perCaller: 0 } },
    '`hub.perCaller` is 0. It must be a whole number of listen streams, 1 or more.',
  ],
  [
    { legacy: 'false' },
    '`legacy` is "false". It must be true, the default, or false, which refuses',
  ],
  [{ legacy: 0 }, '`legacy` is 0. It must be true'],
  [{ legacy: null }, '`legacy` is null. It must be true'],
  [{ name: undefined }, '`name` is missing. It must be text.'],
  [{ version: 1 }, '`version` is 1. It must be text.'],
  [{ title: null }, '`title` is null. It must be text.'],
  [{ instructions: [] }, '`instructions` is an array. It must be text.'],
  [
    { websiteUrl: 'shop.example' },
    '`websiteUrl` is "shop.example". It must be an http: or https: URL.',
  ],
  [{ icons: [{ src: 'javascript:alert(1)' }] }, '`icons[0].src` is "javascript:alert(1)".'],
  [{ icons: [{ src: 'data:,a', sizes: '48x48' }] }, '`icons[0].sizes` is "48x48".'],
  [{ origins: ['claude.ai'] }, '"claude.ai" in `origins` is not an origin'],
])('%j is refused at the start', (wrong, sentence) => {
  expect(() => createAnotherWorker(Object.assign({ ...options }, wrong))).toThrow(sentence)
})

test('a limit needs its binding, which the registry names', () => {
  const limited = Object.assign({ ...options }, { limit: 'CALLS' })
  expect(() => createAnotherWorker(limited)).toThrow(
    new RangeError(
      '`limit` is "CALLS", but wrangler.toml has no [[ratelimits]] binding with that name. ' +
        'Add [[ratelimits]] with name = "CALLS", namespace_id = "1001" and ' +
        'simple = { limit = 100, period = 60 } to wrangler.toml, and run `helve build`.',
    ),
  )
  const limits = { CALLS: { limit: 100, period: 60 } }
  const bound = { ...registry, bindings: { ...registry.bindings, limits } }
  expect(() => createAnotherWorker({ ...limited, registry: bound })).not.toThrow()
})

test('options that are good are taken, and options that are undefined are absent', () => {
  const good = {
    page: 1,
    legacy: false,
    hub: { shards: 4, perCaller: 1 },
    cache: { lists: '0s', store: false },
  } as const
  expect(() => createAnotherWorker({ ...options, ...good })).not.toThrow()
  const absent: object = {
    cache: { lists: undefined, store: 'workers' },
    page: undefined,
    legacy: undefined,
  }
  expect(() => createAnotherWorker(Object.assign({ ...options }, absent))).not.toThrow()
})

test('`colo` needs what tells one deploy from another', () => {
  const { versionMetadata: _, ...bindings } = registry.bindings
  const unversioned = { ...registry, bindings }
  expect(() =>
    createAnotherWorker({ ...options, registry: unversioned, cache: { store: 'colo' } }),
  ).toThrow('Add [version_metadata] with binding = "VERSION" to wrangler.toml.')
})

test('a Worker has one server: a second one would answer its cached calls', () => {
  // an attempt that failed is not a server
  expect(() => createWorker({ ...options, page: 0 })).toThrow('`page` is 0')
  expect(() => createWorker(options)).not.toThrow()
  expect(() => createWorker(options)).toThrow(
    'createWorker was called a second time. A Worker has its classes, such as Handles and Hub, once',
  )
})
