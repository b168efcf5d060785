import { describe, expect, test } from 'vitest'
import { expandTemplate, matchTemplate, readTemplate } from '../../../src/protocol/uri-template.ts'
import { toNormalUri } from '../../../src/protocol/uri.ts'

// server/resources, "Resource Templates" and "Security Considerations"; RFC 6570; RFC 3986

function match(template: string, uri: string): object | null {
  const normal = toNormalUri(uri)
  const values = normal === null ? null : matchTemplate(readTemplate(template), normal)
  return values === null ? null : { ...values }
}

describe('matches a URI of the template', () => {
  test.each([
    ['shop://orders/{id}', 'shop://orders/42', { id: '42' }],
    ['shop://orders/{id}', 'shop://orders/KN-1_0.1~x', { id: 'KN-1_0.1~x' }],
    ['shop://orders/{id}', "shop://orders/!'()*", { id: "!'()*" }],
    ['shop://orders/{id}', 'shop://orders/a%20b', { id: 'a b' }],
    ['shop://orders/{id}', 'shop://orders/Gr%C3%BC%C3%9Fe', { id: 'Grüße' }],
    ['shop://orders/{id}', 'shop://orders/Grüße', { id: 'Grüße' }],
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
    // a form sends an empty parameter for a field left blank
    ['shop://a{?b,c}', 'shop://a?c=', {}],
    ['shop://a{?b,c}', 'shop://a?c=&b=1', { b: '1' }],
    ['shop://a{?b,c}', 'shop://a?b=&c=', {}],
    ['shop://a/{id}{?b}', 'shop://a/1?b=%C3%A9', { id: '1', b: 'é' }],
    ['file:///{+path}{?rev}', 'file:///a/b?rev=2', { path: 'a/b', rev: '2' }],
    ['a+b://x.y/$&({id})', 'a+b://x.y/$&(1)', { id: '1' }],
    // the case of the host means nothing, where it is not a value
    ['shop://orders/{id}', 'SHOP://orders/a', { id: 'a' }],
    ['shop://orders/{id}', 'shop://Orders/A', { id: 'A' }],
    ['shop://Orders.example/{id}', 'shop://oRDERS.EXAMPLE/a', { id: 'a' }],
    ['shop://{shelf}.example/{id}', 'shop://Knives.Example/a', { shelf: 'Knives', id: 'a' }],
    ['shop://orders/{id}', 'shop://%6frders/%61', { id: 'a' }],
    ['shop://or%64ers/{id}', 'shop://orders/a', { id: 'a' }],
    ['shop://gr%c3%bcn/{id}', 'shop://gr%C3%BCn/a', { id: 'a' }],
  ])('%s matches %s', (template, uri, values) => {
    expect(match(template, uri)).toEqual(values)
  })
})

// RFC 3986, 3.3 and 3.4: what may stand in a segment, and what in a query
describe('a legal character of a value needs no escape', () => {
  const inSegment = "-._~!$&'()*+,;=:@".split('')
  const places: readonly [template: string, before: string, after: string][] = [
    ['x:{v}', 'x:', ''],
    ['x://{v}', 'x://', ''],
    ['x://a/{v}', 'x://a/', ''],
    ['x://a/{v}/b', 'x://a/', '/b'],
    ['x://a/{w}/{v}/b', 'x://a/1/', '/b'],
    ['x://a/{v}/{w}', 'x://a/', '/1'],
    ['x://a/{v}.json', 'x://a/', '.json'],
    ['x://a{/v,w}', 'x://a/', '/1'],
    ['x://a{/w,v}', 'x://a/1/', ''],
    ['x://a/{v}{?q}', 'x://a/', '?q=1'],
    ['x://a/{+v}', 'x://a/', ''],
    ['x://a/{+v}/raw{?q}', 'x://a/', '/raw?q=1'],
  ]

  test.each(places)('in a segment of %s', (template, before, after) => {
    for (const character of inSegment) {
      const value = `k${character}1`
      expect(match(template, before + value + after)).toMatchObject({ v: value })
      expect(match(template, before + encodeURIComponent(value) + after)).toMatchObject({
        v: value,
      })
    }
  })

  const inQuery = "-._~!$'()*+,;=:@/?".split('')
  test.each([
    ['x://a{?v,w}', 'x://a?v=', ''],
    ['x://a{?v,w}', 'x://a?v=', '&w=1'],
    ['x://a{?v,w}', 'x://a?w=1&v=', ''],
    ['x://a?v={v}', 'x://a?v=', ''],
    ['x://a?v={v}&w={w}', 'x://a?v=', '&w=1'],
    ['x://a#{v}', 'x://a#', ''],
  ])('in the query of %s', (template, before, after) => {
    for (const character of inQuery) {
      for (const value of [`k${character}1`, `${character}1`]) {
        const uri = before + value + after
        expect(match(template, uri)).toMatchObject({ v: value })
        const escaped = before + encodeURIComponent(value) + after
        expect(match(template, escaped)).toMatchObject({ v: value })
      }
    }
  })
})

test.each([
  ['x:{a},{b}', 'x:1;2,3@4', { a: '1;2', b: '3@4' }],
  ['x:{a}:{b}', "x:o'k,1:2", { a: "o'k,1", b: '2' }],
  ['x:{a},{b};{c}', 'x:1;1,2;3,3', { a: '1;1', b: '2', c: '3,3' }],
  ['x:{a},{b};{c}', 'x:1,1,2;3', null],
  ['x:{a},{b};{c}', 'x:1;1,2;3', { a: '1;1', b: '2', c: '3' }],
  ['x:{user}@{host}/{id}', 'x:ann:1@h/a@b', { user: 'ann:1', host: 'h', id: 'a@b' }],
  ['git:{repo}:{+path}', 'git:helve:src/a:b.ts', { repo: 'helve', path: 'src/a:b.ts' }],
])('%s divides %s at its delimiter', (template, uri, values) => {
  expect(match(template, uri)).toEqual(values)
})

test.each([
  ['x:{a},{b}', { a: '1,2', b: 'é@' }, 'x:1%2C2,%C3%A9%40'],
  ['file:///{+path}/raw', { path: 'a b/c' }, 'file:///a%20b/c/raw'],
  ['shop://a{/b,c}', {}, 'shop://a'],
  ['shop://a{/b,c}', { b: '1', c: '2' }, 'shop://a/1/2'],
  ['shop://a{?b,c}', { c: '2' }, 'shop://a?c=2'],
  ['shop://a{?b,c}', { b: '1', c: '/?' }, 'shop://a?b=1&c=%2F%3F'],
])('%s expands with %j to %s', (template, values, uri) => {
  expect(expandTemplate(readTemplate(template), values)).toBe(uri)
  expect(match(template, uri)).toEqual(values)
})

describe('does not match another URI', () => {
  test.each([
    // a segment is one segment
    ['shop://orders/{id}', 'shop://orders/'],
    ['shop://orders/{id}', 'shop://orders/a/b'],
    ['shop://orders/{id}', 'shop://orders/a/'],
    ['shop://orders/{id}', 'shop://orders/a?b=c'],
    ['shop://orders/{id}', 'shop://orders/a#b'],
    // text is compared exactly, except in place of the host
    ['shop://x/orders/{id}', 'shop://x/Orders/a'],
    ['shop:orders/{id}', 'shop:Orders/a'],
    ['shop://{+path}.json', 'shop://a/b.JSON'],
    ['shop://orders/{id}', 'shop://ordersXa'],
    ['shop://orders/{id}', 'xshop://orders/a'],
    ['shop://orders/{id}', ' shop://orders/a'],
    ['shop://orders/{id}', 'shop://orders/a\n'],
    ['shop://orders/{id}', 'shop://orders/a\nshop://orders/b'],
    ['shop://o.ders/{id}', 'shop://orders/a'],
    ['shop://orders/{id}/lines', 'shop://orders/lines'],
    // what is not a URI
    ['shop://orders/{id}', 'shop://orders/a b'],
    ['shop://orders/{id}', 'shop://orders/a\\b'],
    ['shop://orders/{id}', 'shop://orders/{id}'],
    // a delimiter between two values is in neither of them
    ['map:{lat},{lon}', 'map:1,2,3'],
    ['x:{a}:{b}/{c}', 'x:1:2:3/4'],
    ['x:?a={a}&b={b}', 'x:?a=1&b=2&b=3'],
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
    ['shop://a{?b,c}', 'shop://a?b=&b=1'],
    ['shop://a{?b,c}', 'shop://a?=1'],
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
    ['x:{a},{b};{c}!', `x:${',;'.repeat(4_000)}`],
    ['x:{a}:raw', `x:${':raw'.repeat(2_000)}!`],
    ['x:{a}@{b}:raw', `x:a@${':raw'.repeat(2_000)}!`],
    ['x://a/{a}=!{?q}', `x://a/${'=!'.repeat(4_000)}?q`],
    ['x://a{/a,b,c}', `x://a${'/:@'.repeat(2_700)}`],
    ['x:?{a}/{b}/{c}!', `x:?${'/?'.repeat(4_000)}`],
    ['x:{a}{?q}', `x:a?${'q=1&'.repeat(2_000)}`],
  ])('%s', async (template, uri) => {
    const compiled = readTemplate(template)
    const start = await now()
    const found = Array.from({ length: 100 }, () => {
      const normal = toNormalUri(uri)
      return normal === null ? null : matchTemplate(compiled, normal)
    })
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
