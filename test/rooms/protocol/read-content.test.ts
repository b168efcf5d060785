import { describe, expect, test } from 'vitest'
import { readBinary, readContentBlock } from '../../../src/protocol/read-content.ts'

// server/tools, "Tool Result"; server/prompts, "PromptMessage"; server/resources, "Annotations"

const read = (block: unknown): unknown => readContentBlock(block, 'content[0]')
const png = { type: 'image', data: 'AQID', mimeType: 'image/png' }
const link = { type: 'resource_link', uri: 'shop://a', name: 'a' }
const embedded = { type: 'resource', resource: { uri: 'shop://a', text: 'a' } }

test.each([
  { type: 'text', text: '' },
  { type: 'text', text: 'a', annotations: {}, _meta: { 'shop.example/a': null } },
  { type: 'text', text: 'a', annotations: { priority: 0, audience: [], other: 1 } },
  { type: 'text', text: 'a', annotations: { lastModified: '2026-11-30T12:00:00+01:00' } },
  { type: 'text', text: 'a', annotations: { lastModified: '2028-02-29T12:00:00.5Z' } },
  png,
  // the sanitizer reads it after this, and would not recognize a secret that is encoded
  { ...link, uri: 'shop://ä b\u200b' },
  { type: 'audio', data: '', mimeType: 'audio/wav; rate=8000' },
  { ...link, size: 0, title: 'A', icons: [{ src: 'data:image/png;base64,AQID' }] },
  embedded,
  { type: 'resource', resource: { uri: 'shop://a', blob: 'AQID', mimeType: 'image/png' } },
])('is sent unchanged: %j', (block) => {
  expect(read(block)).toBe(block)
})

test.each([
  [
    { type: 'text', text: 'a', annotations: null, _meta: null },
    { type: 'text', text: 'a' },
  ],
  [{ ...link, title: null, description: null, mimeType: null, size: null, icons: null }, link],
  [
    { ...link, icons: [{ src: 'https://a.example/a.png', sizes: '48x48', theme: null }] },
    { ...link, icons: [{ src: 'https://a.example/a.png', sizes: ['48x48'] }] },
  ],
  [
    { ...png, annotations: { priority: null } },
    { ...png, annotations: {} },
  ],
  [
    { ...png, annotations: { lastModified: '2026-11-30', audience: 'user' } },
    { ...png, annotations: { lastModified: '2026-11-30T00:00:00Z', audience: ['user'] } },
  ],
  [
    { ...png, annotations: { lastModified: '2026-11-30 12:00' } },
    { ...png, annotations: { lastModified: '2026-11-30T12:00:00Z' } },
  ],
  [
    { ...png, annotations: { lastModified: '2026-11-30T12:00-05:00' } },
    { ...png, annotations: { lastModified: '2026-11-30T12:00:00-05:00' } },
  ],
  [
    { ...png, annotations: { lastModified: new Date(0) } },
    { ...png, annotations: { lastModified: '1970-01-01T00:00:00.000Z' } },
  ],
  [{ ...png, data: new Uint8Array([1, 2, 3]) }, png],
  [{ ...png, data: 'data:image/png;base64,AQID' }, png],
  [{ type: 'image', data: 'data:image/png;base64,AQID' }, png],
  [
    { ...link, uri: new URL('https://shop.example/a b') },
    { ...link, uri: 'https://shop.example/a%20b' },
  ],
  [
    { type: 'resource', resource: { uri: 'shop://a', text: null, blob: 'AQID', mimeType: null } },
    { type: 'resource', resource: { uri: 'shop://a', blob: 'AQID' } },
  ],
  [
    { type: 'resource', resource: { uri: 'shop://a', blob: 'data:image/png;base64,AQID' } },
    { type: 'resource', resource: { uri: 'shop://a', blob: 'AQID', mimeType: 'image/png' } },
  ],
])('is corrected: %j', (block, corrected) => {
  expect(read(block)).toStrictEqual(corrected)
})

test.each([
  [null, '`content[0]` is null. It must be a content block'],
  [{ type: 'video' }, '`content[0].type` is "video". It must be one of text, image'],
  [{ type: 'text' }, '`content[0].text` is missing. It must be text.'],
  [{ type: 'text', text: 5 }, '`content[0].text` is 5. It must be text.'],
  [{ type: 'text', text: null }, '`content[0].text` is null. It must be text.'],
  [{ type: 'text', text: 'a', annotations: 'b' }, '`content[0].annotations` is "b".'],
  [{ type: 'text', text: 'a', _meta: [] }, '`content[0]._meta` is an array.'],
  [{ type: 'text', text: 'a', _meta: { a: () => 1 } }, '`content[0]._meta` is an object.'],
  [
    { ...png, annotations: { priority: Number.NaN } },
    '`content[0].annotations.priority` is NaN. It must be a number from 0 to 1.',
  ],
  [{ ...png, annotations: { priority: -1 } }, '`content[0].annotations.priority` is -1.'],
  [
    { ...png, annotations: { lastModified: '2026-02-30' } },
    '`content[0].annotations.lastModified` is "2026-02-30".',
  ],
  [
    { ...png, annotations: { lastModified: '2026-01-01T24:00:00Z' } },
    '`content[0].annotations.lastModified` is "2026-01-01T24:00:00Z".',
  ],
  [
    { ...png, annotations: { lastModified: new Date(8.64e15) } },
    '`content[0].annotations.lastModified` is an object.',
  ],
  [
    { ...png, annotations: { lastModified: new Date(Number.NaN) } },
    '`content[0].annotations.lastModified` is an object.',
  ],
  [{ ...png, annotations: { lastModified: 5 } }, '`content[0].annotations.lastModified` is 5.'],
  [{ ...png, mimeType: undefined }, '`content[0].mimeType` is missing. It must be a media type'],
  [{ ...png, mimeType: 'png' }, '`content[0].mimeType` is "png".'],
  [{ ...png, data: undefined }, '`content[0].data` is missing. It must be bytes or Base64.'],
  [{ ...png, data: 'https://a.example/b.png' }, 'is not Base64. Fetch the URL'],
  [{ ...png, data: 'logo.png' }, '`content[0].data` is "logo.png", which is not Base64.'],
  // as a query string makes it of +
  [{ ...png, data: 'iVBORw0KGgo /w==' }, 'which is not Base64.'],
  [{ ...png, data: 'hello world' }, '`content[0].data` is "hello world", which is not Base64.'],
  [{ ...link, uri: '' }, '`content[0].uri` is "". It must be a URI'],
  [{ ...link, uri: '/a' }, '`content[0].uri` is "/a".'],
  [{ ...link, name: undefined }, '`content[0].name` is missing.'],
  [{ ...link, size: -1 }, '`content[0].size` is -1.'],
  [{ ...link, icons: [{ src: 'file:///a' }] }, '`content[0].icons[0].src` is "file:///a".'],
  [{ type: 'resource' }, '`content[0].resource` is missing.'],
  [{ type: 'resource', resource: { uri: '', text: 'a' } }, '`content[0].resource.uri` is "".'],
  [{ type: 'resource', resource: { uri: 'a:b' } }, '`content[0].resource.text` is missing.'],
  [
    { type: 'resource', resource: { uri: 'a:b', blob: 'a.png' } },
    '`content[0].resource.blob` is "a.png"',
  ],
])('is refused: %j', (block, why) => {
  expect(() => read(block)).toThrow(why)
})

describe('an object with toJSON is read as what JSON has of it', () => {
  const having = (json: unknown) => ({ toJSON: () => json })

  test.each([
    [having(png), png],
    [{ ...png, toJSON: () => ({ ...png, data: 'data:image/png;base64,AQID' }) }, png],
    [
      { ...png, annotations: having({ priority: 1 }), _meta: having({ a: 1 }) },
      { ...png, annotations: { priority: 1 }, _meta: { a: 1 } },
    ],
    [{ type: 'resource', resource: having({ uri: 'shop://a', text: 'a' }) }, embedded],
  ])('%#', (block, sent) => {
    expect(JSON.parse(JSON.stringify(read(block)))).toEqual(sent)
  })

  test.each([
    [having('text'), '`content[0]` is "text". It must be an object.'],
    [{ type: 'text', text: 'a', ...having({ type: 'text', text: 5 }) }, '`content[0].text` is 5.'],
    [{ ...png, annotations: having({ priority: 7 }) }, '`content[0].annotations.priority` is 7.'],
    [{ ...png, _meta: new Date(0) }, '`content[0]._meta` is "1970-01-01T00:00:00.000Z".'],
    [{ ...link, icons: [having({ src: 'http://a' })] }, '`content[0].icons[0].src` is "http://a".'],
  ])('and refused for a wrong member: %#', (block, why) => {
    expect(() => read(block)).toThrow(why)
  })
})

test('a sentence shows only the beginning of a long value', () => {
  const data = `https://a.example/${'x'.repeat(100_000)}`
  expect(() => read({ ...png, data })).toThrow(/^.{0,250}$/)
})

describe('binary data', () => {
  const given = (data: unknown, mimeType?: string) => readBinary(data, mimeType, 'data')

  test.each([
    [new Uint8Array([251, 255])],
    [new Uint8Array([251, 255]).buffer],
    ['+/8='],
    ['-_8'],
    [' +/\r\n  8= '],
    ['data:;base64,+/8='],
    ['data:image/png;base64,+/8='],
    ['DATA:image/png;charset=utf-8;BASE64,%2B%2F8%3D'],
    ['\n data:image/png;base64,\n-_8\n'],
    ['data:image/jpg;base64,+/8=', 'image/jpeg'],
    ['data:image/PNG;base64,+/8=', 'image/png; q=1'],
  ])('of %j is standard Base64', (data, mimeType = 'image/png') => {
    expect(given(data, mimeType)).toEqual({ data: '+/8=', mimeType })
  })

  test('has the media type of its data URL where none is given', () => {
    expect(given('data:image/gif;base64,+/8=').mimeType).toBe('image/gif')
    expect(given('data:;base64,+/8=').mimeType).toBeUndefined()
  })

  test.each([
    ['data:image/png;base64,+/8=', 'image/gif', /data URL of image\/png, but .* "image\/gif"/],
    ['data:text/plain,hello', 'text/plain', /data URL, but not of Base64/],
    ['data:image/png;base64,a.png', 'image/png', /data URL, but not of Base64/],
    ['https://a.example/a.png', 'image/png', /Fetch the URL/],
    ['<svg/>', 'image/svg+xml', /Pass bytes or Base64/],
    [5, 'image/png', /`data` is 5. It must be bytes or Base64/],
    [{ type: 'Buffer', data: [1] }, 'image/png', /`data` is an object/],
  ])('is not %j as %s', (data, mimeType, why) => {
    expect(() => given(data, mimeType)).toThrow(why)
  })

  test('of 4 MiB takes a few milliseconds, in a data URL too', () => {
    const bytes = new Uint8Array(4 * 1024 * 1024).fill(251)
    const began = performance.now()
    given(bytes)
    given(bytes.toBase64())
    given(`data:image/png;base64,${bytes.toBase64()}`)
    expect(performance.now() - began).toBeLessThan(500)
  })
})
