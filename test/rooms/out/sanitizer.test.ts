import { expect, test } from 'vitest'
import {
  createSanitizer,
  createSanitizers,
  sanitizeBlock,
  sanitizeContents,
  sanitizeJson,
  sanitizeMessage,
  toToolSanitizer,
} from '../../../src/out/sanitizer.ts'
import { createMask, readSecretValues } from '../../../src/out/mask.ts'

const key = 'sk_live_0123456789'
const sanitizer = createSanitizer([key])

test('the secrets of an env are its strings but the vars, in all their parts', () => {
  const env = {
    API_KEY: key,
    DATABASE: 'postgres://user:hunter2hunter2@db.example/shop',
    STATE_KEY: 'an-older-key-0123, a-newer-key-4567',
    WEATHER_API: 'https://weather.example',
    SHORT: 'prod',
    LIMITER: { limit: () => {} },
  }
  expect(readSecretValues(env, new Set(['WEATHER_API']))).toEqual([
    key,
    env.DATABASE,
    env.STATE_KEY,
    'an-older-key-0123',
    'a-newer-key-4567',
  ])
})

test.each([
  ['a secret wherever it stands', `${key} and ${key}`, '[secret] and [secret]'],
  ['the longer of two that begin alike', `${key}-longer`, '[secret]'],
  ['a secret in a URL', 'https://a.example/?k=p%40ss%2Fword%3D1', 'https://a.example/?k=[secret]'],
  ['a secret in JSON', String.raw`{"k":"quote\"d\\secret"}`, '{"k":"[secret]"}'],
  ['a part of a secret is none', 'sk_live_', 'sk_live_'],
])('masks: %s', (_, text, masked) => {
  const mask = createMask([key, `${key}-longer`, 'p@ss/word=1', 'quote"d\\secret'])
  expect(mask(text)).toBe(masked)
})

test('a secret with half a surrogate pair in it is masked too', () => {
  expect(createMask(['\uD83Dsecret-12'])('x \uD83Dsecret-12')).toBe('x [secret]')
})

test('a secret that an invisible character divides is masked', () => {
  expect(sanitizer.text('sk_live_\u200B0123456789')).toBe('[secret]')
})

test('strings and keys of JSON are sanitised at every depth, and nothing else changes', () => {
  const value = {
    'na\u202Eme': ['a\x1b[31mb', { deep: ['\u200B', key, 'c\r\nd\te\\u001b"'] }],
    2: 1.5e300,
    1: [null, true, {}],
    __proto__x: 'é👩‍🚀',
  }
  const json = JSON.stringify(value).replace('__proto__x', '__proto__')
  expect(sanitizer.json(json)).toBe(
    json
      .replace('\u202E', '')
      .replace(String.raw`\u001b[31m`, '')
      .replace('\u200B', '')
      .replace(key, '[secret]'),
  )
})

test('clean JSON comes back as it is', () => {
  const json = JSON.stringify({
    text: 'C:\\users\\bob \\u001b "quoted" \r\n\t é 你好 😊',
    n: [1, 2],
  })
  expect(sanitizer.json(json)).toBe(json)
})

test('a secret of digits is masked as text and never breaks a number', () => {
  const digits = createSanitizer(['12345678'])
  expect(digits.json('{"id":12345678,"pin":"12345678"}')).toBe('{"id":12345678,"pin":"[secret]"}')
})

test.each([
  ['one long string', JSON.stringify('a'.repeat(4_000_000))],
  ['escapes only', JSON.stringify('\n'.repeat(2_000_000))],
  ['many strings', JSON.stringify(Array.from({ length: 200_000 }, () => 'ab'))],
  ['great depth', '['.repeat(500_000) + ']'.repeat(500_000)],
])('JSON of any shape is walked without a stack: %s', (_, json) => {
  expect(sanitizeJson(json, (text) => text)).toBe(json)
})

test('texts of content are sanitised; images, audio and links lead where they led', () => {
  const dirty = `x\x1b[0m${key}`
  const uri = `https://a.example/\u202E${key}`
  const block = (content: Parameters<typeof sanitizeBlock>[0]): unknown =>
    sanitizeBlock(content, sanitizer)
  const annotations = { priority: 1 }
  expect(block({ type: 'text', text: dirty, annotations })).toEqual({
    type: 'text',
    text: 'x[secret]',
    annotations,
  })
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const
  expect(block(image)).toBe(image)
  expect(
    block({ type: 'resource_link', uri, name: dirty, title: dirty, description: dirty }),
  ).toEqual({
    type: 'resource_link',
    uri,
    name: 'x[secret]',
    title: 'x[secret]',
    description: 'x[secret]',
  })
  expect(block({ type: 'resource_link', uri, name: 'n' })).toEqual({
    type: 'resource_link',
    uri,
    name: 'n',
  })
  expect(block({ type: 'resource', resource: { uri, text: dirty } })).toEqual({
    type: 'resource',
    resource: { uri, text: 'x[secret]' },
  })
  const blob = { uri, blob: 'AAAA' }
  expect(sanitizeContents(blob, sanitizer)).toBe(blob)
  expect(
    sanitizeMessage({ role: 'user', content: { type: 'text', text: dirty } }, sanitizer),
  ).toEqual({ role: 'user', content: { type: 'text', text: 'x[secret]' } })
})

test('a tool may let everything out, or have a way of its own that secrets do not pass', () => {
  expect(toToolSanitizer(sanitizer, undefined)).toBe(sanitizer)
  const off = toToolSanitizer(sanitizer, false)
  expect(off.text(`\x1b${key}`)).toBe(`\x1b${key}`)
  expect(off.json(`"${key}"`)).toBe(`"${key}"`)
  const own = toToolSanitizer(sanitizer, (text) => text.toUpperCase().replace('KEY', key))
  expect(own.text('the key\u200B')).toBe('THE [secret]\u200B')
  expect(own.json('{"a":["key"]}')).toBe('{"A":["[secret]"]}')
})

test('the secrets of an env are read once', () => {
  let reads = 0
  const env = {
    get API_KEY() {
      reads += 1
      return key
    },
  }
  const open = createSanitizers([])
  expect(open(env).text(key)).toBe('[secret]')
  expect(open(env)).toBe(open(env))
  expect(reads).toBe(1)
  expect(open({ API_KEY: 'another-secret' }).text(`${key} another-secret`)).toBe(`${key} [secret]`)
})
