import { describe, expect, test } from 'vitest'
import type { ResourceEntry } from '../../../src/define/registry.ts'
import { createResourceLookup } from '../../../src/mcp/resource-lookup.ts'
import { toEntry } from './test-resource-entry.ts'

const secret = { scopes: ['admin'] }

/** Returns the URI of the entry that serves a URI, in whatever order the entries are. */
function find(uri: string, ...entries: readonly ResourceEntry[]): string | null {
  const [one, other] = [entries, entries.toReversed()].map(
    (order) => createResourceLookup(order)(uri)?.entry.uri ?? null,
  )
  expect(one).toBe(other)
  return one ?? null
}

describe('a spelling of a guarded resource', () => {
  const guarded = toEntry('docs://secret/{id}', secret)
  const open = ['docs://{+path}', 'docs://{+path}{?q}', 'docs://{a}/{b}', 'docs://{a}/{b}{?q}']

  test.each([
    'docs://secret/1',
    'docs://%73ecret/1',
    'docs://%53ECRET/1',
    'DOCS://secret/1',
    'docs://SECRET/1',
    'docs://secret/%31',
    'docs://secret/a@b:c',
  ])('%s is served by it', (uri) => {
    for (const template of open) {
      expect(find(uri, guarded, toEntry(template))).toBe('docs://secret/{id}')
    }
  })

  test.each([
    'docs:secret/1',
    'docs:/secret/1',
    'docs:///secret/1',
    'docs://secret//1',
    'docs://secret;x=1/1',
    'docs://secret/1/',
    'docs://secret/./1',
    'docs://secret/x/../1',
    'docs://secret/%2e/1',
    'docs://x/%2E%2e/secret/1',
    'docs://secret%2F1',
    'docs://secret%252F1',
    'docs://%2573ecret/1',
    'docs://%252573ecret/1',
    'docs://%25%37%33ecret/1',
    'docs://secret/1?',
    'docs://secret/1?q=1',
    'docs://secret/1#a',
    'docs://ann@secret/1',
    'docs://ann:pw@secret/1',
    'docs://secret:80/1',
    'docs://secret:/1',
    'docs://secret./1',
    'docs://secret\\1',
    'docs://secret%5C1',
    'docs://secret%255C1',
    'docs://secret/1\n',
    'docs://sec\tret/1',
    'docs://secret%0A/1',
    'docs://secret%20/1',
    'docs://secret%E2%80%8B/1',
    'docs://%EF%BD%93ecret/1',
    'docs://%C5%BFecret/1',
  ])('%j is not served by another', (uri) => {
    for (const template of open) {
      expect(find(uri, guarded, toEntry(template))).toBeOneOf([null, 'docs://secret/{id}'])
    }
  })

  test.each([
    ['docs://team@hr/{id}', 'docs://team%40hr/1'],
    ['docs://a/caf%C3%A9', 'docs://a/cafe%CC%81'],
    ['docs://a/secret.md', 'docs://a/SECRET.MD'],
    ['docs://a{/b,c}', 'docs://a/'],
    ['docs://a{/b,c}', 'docs://a//1'],
    ['docs://a/{+path}/raw', 'docs://a/b/c/raw/'],
    ['docs://a/{id}.{type}/raw', 'docs://a/1.x.json/RAW'],
    ['docs://a/cafe', 'docs://a/caf%C3%A9'],
    ['docs://a/cafe', 'docs://a/caf\u{e9}'],
    ['docs://a/secret', 'docs://a/\u{17f}ecret'],
    ['docs://a/secret', 'docs://a/\u{ff53}ecret'],
    ['docs://a/strasse', 'docs://a/stra%C3%9Fe'],
    ['docs://a/secret', 'docs://a/sec%CD%8Fret'],
    ['docs://a&b/secret', 'docs://a%26b/secret/'],
    ['docs://a/secret', 'docs://a/sec%EF%B8%8Fret'],
    ['docs://sample/{id}', 'docs://sample./1'],
    ['docs://s{id}/{b}', 'docs://Sample/1/'],
  ])('%s guards %s', (guard, uri) => {
    for (const template of open) {
      expect(find(uri, toEntry(guard, secret), toEntry(template))).toBeNull()
    }
  })
})

test.each([
  'docs://other/1',
  'docs://secrets/1',
  'docs://secret',
  'docs://secret/1/2',
  'docs://a/secret/1',
  'docs://secret&/1',
])('%s is another resource', (uri) => {
  expect(find(uri, toEntry('docs://secret/{id}', secret), toEntry('docs://{+path}'))).toBe(
    'docs://{+path}',
  )
})

describe('of two resources that match', () => {
  test.each([
    [
      'a template within the guarded one',
      'docs://public/1',
      'docs://{+path}',
      'docs://public/{id}',
    ],
    ['a fixed URI within the guarded one', 'docs://a/about', 'docs://a/{id}', 'docs://a/about'],
    ['one with its own segment', 'docs://a/1/open', 'docs://a/{+path}', 'docs://a/{id}/open'],
  ])('%s is open', (_, uri, guard, open) => {
    expect(find(uri, toEntry(guard, secret), toEntry(open))).toBe(open)
  })

  test.each([
    ['docs://z/z', 'docs://z/{b}', 'docs://{a}/z'],
    ['docs://z/z', 'docs://{a}/z', 'docs://z/{b}'],
    ['docs://a/long-name', 'docs://a/{id}', 'docs://{a}/long-name'],
    ['docs://a/long-name', 'docs://a/{id}', 'docs://{a}/long-name{?q}'],
    ['docs://long-name/1', 'docs://{a}/{b}', 'docs://long-name{/b}'],
  ])('%s is served by the guarded %s, and not by %s', (uri, guard, open) => {
    expect(find(uri, toEntry(guard, secret), toEntry(open))).toBe(guard)
    expect(find(uri, toEntry(guard, { conditional: true }), toEntry(open))).toBe(guard)
  })

  test('one that needs the same scopes and more is as good a guard', () => {
    const other = toEntry('docs://{a}/long-name', { scopes: ['user', 'admin'] })
    const uri = 'docs://a/long-name'
    expect(find(uri, toEntry('docs://a/{id}', secret), other)).toBe('docs://{a}/long-name')
  })

  test('neither serves a URI that both guard in different ways', () => {
    const other = toEntry('docs://{a}/long-name', { scopes: ['user'] })
    expect(find('docs://a/long-name', toEntry('docs://a/{id}', secret), other)).toBeNull()
  })

  test.each([
    ['docs://{+path}', { scopes: ['user'] }],
    ['docs://{+path}', { conditional: true }],
  ])('%s with %j does not guard what needs another scope', (uri, guard) => {
    const entries = [toEntry('docs://secret/{id}', secret), toEntry(uri, guard)]
    expect(find('docs://secret/1', ...entries)).toBe('docs://secret/{id}')
    expect(find('docs://secret/1/', ...entries)).toBeNull()
  })

  test.each([
    ['docs://file?name=secret', 'docs://file?name=secret&x='],
    ['docs://file?name=secret', 'docs://file?x=&name=secret'],
    ['docs://file?name=secret', 'docs://file?name=secret&x=1'],
    ['docs://file?name=secret', 'docs://file?name=Secret%20'],
    ['docs://file?name=secret', 'docs://file?name=secret+'],
    ['docs://file?name=secret', 'docs://file?name=secret%26x'],
    ['docs://file?name=secret/a', 'docs://file?name=secret//a/'],
    ['docs://file?name={id}', 'docs://file?x=1&name=2'],
    ['docs://file?name={id}&x=1', 'docs://file?x=1&name=2'],
  ])('%s guards %s', (guard, uri) => {
    expect(find(uri, toEntry(guard, secret), toEntry('docs://file{?name,x}'))).toBeNull()
  })

  test.each(['docs://file?name=secrets', 'docs://file?x=secret', 'docs://file'])(
    '%s is none with another parameter',
    (uri) => {
      const open = toEntry('docs://file{?name,x}')
      expect(find(uri, toEntry('docs://file?name=secret', secret), open)).toBe(open.uri)
    },
  )

  test('a path of more segments than the guarded template has does not lie within it', () => {
    const guard = toEntry('docs://x/{a}{/b}', secret)
    expect(find('docs://x/1/2/', guard, toEntry('docs://x/{+path}'))).toBeNull()
    expect(find('docs://x/1/2/3', guard, toEntry('docs://x/{+path}'))).toBe('docs://x/{+path}')
  })

  test('a query in the text of a guarded template belongs to it', () => {
    const guard = toEntry('docs://search?q={q}', secret)
    const open = toEntry('docs://search{?limit}')
    expect(find('docs://search?limit=1', guard, open)).toBe('docs://search{?limit}')
    expect(find('docs://search?q=1', guard, open)).toBe('docs://search?q={q}')
  })
})

test('hostile URIs are compared in linear time', async () => {
  const guards = ['a/{b}-{c}/d', '{a}/{b}/{c}/{+d}/e', 'a{/b,c}', '{+a}-{b}']
  const lookup = createResourceLookup([
    ...guards.map((path) => toEntry(`docs://${path}`, secret)),
    toEntry('docs://{+path}{?q}'),
  ])
  const uris = ['/', '-/', '%2525', '%25/', '%C3%A9', '@', 'a/b-', '&'].map((part) =>
    `docs://a/${part.repeat(8_000 / part.length)}`.slice(0, 8_190),
  )
  await scheduler.wait(1)
  const start = Date.now()
  for (const uri of uris) for (let n = 0; n < 20; n++) lookup(uri)
  await scheduler.wait(1)
  expect(Date.now() - start).toBeLessThan(1_000)
})
