import { describe, expect, test } from 'vitest'
import { matchTemplate, readTemplate } from '../../../src/protocol/uri-template.ts'

// server/resources, "Resource Templates" and "Security Considerations"; RFC 6570; RFC 3986

function match(template: string, uri: string): object | null {
  const values = matchTemplate(readTemplate(template), uri)
  return values === null ? null : { ...values }
}

describe('matches a URI of the template', () => {
  test.each([
    ['shop://orders/{id}', 'shop://orders/42', { id: '42' }],
    ['shop://orders/{id}', 'shop://orders/KN-1_0.1~x', { id: 'KN-1_0.1~x' }],
    ['shop://orders/{id}', "shop://orders/!'()*", { id: "!'()*" }],
    ['shop://orders/{id}', 'shop://orders/a%20b', { id: 'a b' }],
    ['shop://orders/{id}', 'shop://orders/Gr%C3%BC%C3%9Fe', { id: 'Grüße' }],
    ['shop://orders/{id}', 'shop://orders/%F0%9F%AB%96', { id: '🫖' }],
    ['shop://orders/{id}', 'shop://orders/50%25', { id: '50%' }],
    ['shop://orders/{id}', 'shop://orders/...', { id: '...' }],
    ['shop://orders/{id}', 'shop://orders/ann%40example.com', { id: 'ann@example.com' }],
    ['shop://orders/{id}/lines', 'shop://orders/42/lines', { id: '42' }],
    ['file:///{name}.json', 'file:///a.json.json', { name: 'a.json' }],
    ['doc:{id}', 'doc:7', { id: '7' }],
    ['shop://{shelf}/{sku}', 'shop://knives/KN-101', { shelf: 'knives', sku: 'KN-101' }],
    ['map:{lat},{lon}', 'map:48.2,16.4', { lat: '48.2', lon: '16.4' }],
    ['x:{a}-:{b}', 'x:1--:2', { a: '1-', b: '2' }],
    ['shop://search?q={q}', 'shop://search?q=tea%20pot', { q: 'tea pot' }],
    ['file:///{+path}', 'file:///src/main.rs', { path: 'src/main.rs' }],
    ['file:///{+path}', 'file:///a', { path: 'a' }],
    ['file:///{+path}', 'file:///a%20b/c', { path: 'a b/c' }],
    ['file:///{+path}/raw', 'file:///a/raw/raw', { path: 'a/raw' }],
    ['git://{repo}/{+path}', 'git://helve/src/a.ts', { repo: 'helve', path: 'src/a.ts' }],
    ['shop://a{/b,c}', 'shop://a', {}],
    ['shop://a{/b,c}', 'shop://a/1', { b: '1' }],
    ['shop://a{/b,c}', 'shop://a/1/2', { b: '1', c: '2' }],
    ['shop://a{?b,c}', 'shop://a', {}],
    ['shop://a{?b,c}', 'shop://a?b=1&c=2', { b: '1', c: '2' }],
    ['shop://a{?b,c}', 'shop://a?c=2&b=1', { b: '1', c: '2' }],
    ['shop://a{?b,c}', 'shop://a?c=', { c: '' }],
    ['shop://a/{id}{?b}', 'shop://a/1?b=%C3%A9', { id: '1', b: 'é' }],
    ['file:///{+path}{?rev}', 'file:///a/b?rev=2', { path: 'a/b', rev: '2' }],
    ['a+b://x.y/$&({id})', 'a+b://x.y/$&(1)', { id: '1' }],
  ])('%s matches %s', (template, uri, values) => {
    expect(match(template, uri)).toEqual(values)
  })
})

describe('does not match another URI', () => {
  test.each([
    // a segment is one segment
    ['shop://orders/{id}', 'shop://orders/'],
    ['shop://orders/{id}', 'shop://orders/a/b'],
    ['shop://orders/{id}', 'shop://orders/a/'],
    ['shop://orders/{id}', 'shop://orders/a?b=c'],
    ['shop://orders/{id}', 'shop://orders/a#b'],
    // text is compared exactly, whole
    ['shop://orders/{id}', 'SHOP://orders/a'],
    ['shop://orders/{id}', 'shop://Orders/a'],
    ['shop://orders/{id}', 'shop://ordersXa'],
    ['shop://orders/{id}', 'xshop://orders/a'],
    ['shop://orders/{id}', ' shop://orders/a'],
    ['shop://orders/{id}', 'shop://orders/a\n'],
    ['shop://orders/{id}', 'shop://orders/a\nshop://orders/b'],
    ['shop://o.ders/{id}', 'shop://orders/a'],
    ['shop://orders/{id}/lines', 'shop://orders/lines'],
    // what no expansion makes
    ['shop://orders/{id}', 'shop://orders/ann@example.com'],
    ['shop://orders/{id}', 'shop://orders/Grüße'],
    ['shop://orders/{id}', 'shop://orders/a b'],
    ['shop://orders/{id}', 'shop://orders/a\\b'],
    ['shop://orders/{id}', 'shop://orders/{id}'],
    ['map:{lat},{lon}', 'map:1,2,3'],
    // traversal
    ['shop://orders/{id}', 'shop://orders/..'],
    ['shop://orders/{id}', 'shop://orders/.'],
    ['shop://orders/{id}', 'shop://orders/%2e%2e'],
    ['shop://orders/{id}', 'shop://orders/%2E.'],
    ['shop://orders/{id}', 'shop://orders/..%2fsecret'],
    ['shop://orders/{id}', 'shop://orders/..%2Fsecret'],
    ['shop://orders/{id}', 'shop://orders/a%2fb'],
    ['shop://orders/{id}', 'shop://orders/a%2Fb'],
    ['file:///{+path}', 'file:///a%2Fb'],
    ['shop://a{/b,c}', 'shop://a/1%2F2'],
    ['shop://a{?file}', 'shop://a?file=a%2Fb'],
    ['shop://orders/{id}', 'shop://orders/..%5csecret'],
    ['shop://orders/{id}', 'shop://orders/a%5Cb'],
    ['shop://orders/{id}', 'shop://orders/%c0%ae%c0%ae'],
    ['shop://orders/{id}', 'shop://orders/..%c0%afsecret'],
    ['file:///{+path}', 'file:///'],
    ['file:///{+path}', 'file:////etc/passwd'],
    ['file:///{+path}', 'file:///../etc/passwd'],
    ['file:///{+path}', 'file:///a/../b'],
    ['file:///{+path}', 'file:///a/%2e%2e/b'],
    ['file:///{+path}', 'file:///a/..'],
    ['file:///{+path}', 'file:///a/./b'],
    ['file:///{+path}', 'file:///a%2f..%2fb'],
    ['file:///{+path}', 'file:///a\\..\\b'],
    ['file:///{+path}', 'file:///a?b'],
    ['file:///{+path}', 'file:///a#b'],
    ['shop://a{?file}', 'shop://a?file=../b'],
    ['shop://a{?file}', 'shop://a?file=..%2fb'],
    ['shop://a{?file}', 'shop://a?file=..'],
    ['shop://a{/b,c}', 'shop://a/..'],
    // control characters and broken escapes
    ['shop://orders/{id}', 'shop://orders/a%00'],
    ['shop://orders/{id}', 'shop://orders/a%0d%0ab'],
    ['shop://orders/{id}', 'shop://orders/a%7f'],
    ['shop://orders/{id}', 'shop://orders/a%C2%85'],
    ['shop://orders/{id}', 'shop://orders/%'],
    ['shop://orders/{id}', 'shop://orders/%2'],
    ['shop://orders/{id}', 'shop://orders/%zz'],
    ['shop://orders/{id}', 'shop://orders/%ff'],
    ['shop://orders/{id}', 'shop://orders/%ed%a0%80'],
    // a query is its own parameters, each once
    ['shop://a{?b,c}', 'shop://a?'],
    ['shop://a{?b,c}', 'shop://a?b'],
    ['shop://a{?b,c}', 'shop://a?b=1&b=2'],
    ['shop://a{?b,c}', 'shop://a?b=1&d=2'],
    ['shop://a{?b,c}', 'shop://a?b=1&'],
    ['shop://a{?b,c}', 'shop://a?b=1#c'],
    ['shop://a{?b,c}', 'shop://a?__proto__=1'],
    ['shop://a{?b,c}', 'shop://a?b=a=b'],
    ['shop://a{/b,c}', 'shop://a/1/2/3'],
    ['shop://a{/b,c}', 'shop://a//2'],
  ])('%s does not match %s', (template, uri) => {
    expect(match(template, uri)).toBeNull()
  })
})

test('decodes once: an escaped escape stays an escape', () => {
  expect(match('shop://orders/{id}', 'shop://orders/%252e%252e%252f')).toEqual({
    id: '%2e%2e%2f',
  })
})

test('returns the values in an object without prototype', () => {
  const values = matchTemplate(readTemplate('x:{constructor}'), 'x:1')
  expect(values?.['constructor']).toBe('1')
  expect(values?.['toString']).toBeUndefined()
  expect(Object.getPrototypeOf(values)).toBeNull()
})

test('returns any value that was encoded with encodeURIComponent', () => {
  const values = [
    'a b',
    'ann@example.com',
    'Grüße, 世界',
    "it's (new)!*",
    'a=b&c=d',
    '50% off',
    '[1]',
  ]
  const found = values.map((value) => match('x:{v}', `x:${encodeURIComponent(value)}`))
  expect(found).toEqual(values.map((v) => ({ v })))
})

describe('refuses hostile URIs in linear time', () => {
  test.each([
    ['x:{a},-{b},-{c}', `x:${',-a'.repeat(2_600)}`],
    ['x:{a}/{b}/{c}/{d}', `x:${'a/'.repeat(4_000)}`],
    ['x:{a}--/{b}--/{c}!', `x:${'-'.repeat(4_000)}/${'-'.repeat(4_000)}`],
    ['file:///{+path}/raw', `file:///${'/raw'.repeat(1_900)}x`],
    ['git://{repo}/{+path}.json', `git://${'a'.repeat(4_000)}/${'.json'.repeat(800)}/`],
    ['x:{a}.json', `x:${'.json'.repeat(1_500)}!`],
    ['x:{a}', `x:${'%41'.repeat(2_600)}%`],
    ['x:{a}', `x:${'a'.repeat(1_000_000)}`],
  ])('%s', async (template, uri) => {
    const compiled = readTemplate(template)
    const start = await now()
    const found = Array.from({ length: 100 }, () => matchTemplate(compiled, uri))
    const elapsed = (await now()) - start
    expect(found.every((values) => values === null)).toBe(true)
    // a hundred times 8,000 characters; a single one takes far longer where the time explodes
    expect(elapsed).toBeLessThan(1_000)
  })
})

/** workerd's clock stands still until the next I/O. */
async function now(): Promise<number> {
  await scheduler.wait(1)
  return Date.now()
}

test('a URI of 8,192 characters matches, and a longer one does not', () => {
  const start = 'shop://'
  const id = 'a'.repeat(8_192 - start.length)
  expect(match('shop://{id}', start + id)).toEqual({ id })
  expect(match('shop://{id}', `${start}${id}a`)).toBeNull()
})
