import { expect, test } from 'vitest'
import { createWorker, defineTool } from 'helve'
import { custom } from '../../src/auth/custom.ts'
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
  [
    { hub: { shards: 0 } },
    '`hub.shards` is 0. It must be a whole number of Hub objects, 1 or more.',
  ],
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
  expect(() => createWorker(Object.assign({ ...options }, wrong))).toThrow(sentence)
})

test('a limit needs its binding, which the registry names', () => {
  const limited = Object.assign({ ...options }, { limit: 'CALLS' })
  expect(() => createWorker(limited)).toThrow(
    new RangeError(
      '`limit` is "CALLS", but wrangler.toml has no [[ratelimits]] binding with that name. ' +
        'Add [[ratelimits]] with name = "CALLS", namespace_id = "1001" and ' +
        'simple = { limit = 100, period = 60 } to wrangler.toml, and run `helve build`.',
    ),
  )
  const limits = { CALLS: { limit: 100, period: 60 } }
  const bound = { ...registry, bindings: { ...registry.bindings, limits } }
  expect(() => createWorker({ ...limited, registry: bound })).not.toThrow()
})

test('what needs a scope is refused where no caller can have one', () => {
  const pay = defineTool({ description: 'Pays.', scopes: ['shop:write'], run: () => 'paid' })
  const scoped = { ...options, registry: toRegistry({ pay }) }
  expect(() => createWorker(scoped)).toThrow(
    'pay requires the scope shop:write, but no caller can have it, because this Worker has no `auth`.',
  )
  expect(() => createWorker({ ...scoped, auth: custom(() => null) })).not.toThrow()
})

test('options that are good are taken, and options that are undefined are absent', () => {
  const good = { page: 1, hub: { shards: 4 }, cache: { lists: '0s', store: false } } as const
  expect(() => createWorker({ ...options, ...good })).not.toThrow()
  const absent: object = { cache: { lists: undefined, store: 'workers' }, page: undefined }
  expect(() => createWorker(Object.assign({ ...options }, absent))).not.toThrow()
})

test('`colo` needs what tells one deploy from another', () => {
  const { versionMetadata: _, ...bindings } = registry.bindings
  const unversioned = { ...registry, bindings }
  expect(() =>
    createWorker({ ...options, registry: unversioned, cache: { store: 'colo' } }),
  ).toThrow('Add [version_metadata] with binding = "VERSION" to wrangler.toml.')
})
