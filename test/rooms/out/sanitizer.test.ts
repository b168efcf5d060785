import { expect, test } from 'vitest'
import { createSanitizer, createSanitizers, toToolSanitizer } from '../../../src/out/sanitizer.ts'

const key = 'sk_live_0123456789'
const sanitizer = createSanitizer([key])

test('a secret that an invisible character divides is masked', () => {
  expect(sanitizer.text('sk_live_\u200B0123456789')).toBe('[secret]')
})

test('strings and keys of JSON are cleaned at every depth, and nothing else changes', () => {
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
  const own = toToolSanitizer(sanitizer, (text) => text)
  expect(own.value(json)).toBe(json)
  expect(sanitizer.json(json)).toBe(json)
})

test('half a surrogate pair becomes U+FFFD in text and in JSON', () => {
  expect(sanitizer.text('a\uD83Db')).toBe('a\uFFFDb')
  expect(sanitizer.json(JSON.stringify({ 'k\uDC69': ['\uD83D😊'] }))).toBe(
    '{"k\uFFFD":["\uFFFD😊"]}',
  )
  expect(sanitizer.json(String.raw`"C:\\ud83d"`)).toBe(String.raw`"C:\\ud83d"`)
})

test('a tool without the option has the sanitizer of all', () => {
  expect(toToolSanitizer(sanitizer, undefined)).toBe(sanitizer)
})

test('a tool may turn sanitizing off, except for half surrogate pairs', () => {
  const off = toToolSanitizer(sanitizer, false)
  expect(off.text(`\x1b${key}`)).toBe(`\x1b${key}`)
  expect(off.text('\uD83D')).toBe('\uFFFD')
  for (const print of [off.json, off.value]) {
    expect(print(`"${key}\u202E"`)).toBe(`"${key}\u202E"`)
    expect(print(JSON.stringify(`\uD83D${key}`))).toBe(`"\uFFFD${key}"`)
  }
  expect(off.mask(key)).toBe('[secret]')
})

test('a tool may have its own rules, but secrets are always masked', () => {
  const own = toToolSanitizer(sanitizer, (text) => text.toUpperCase().replace('KEY', key))
  expect(own.text('the key\u200B')).toBe('THE [secret]\u200B')
  expect(own.value('{"a":["key"]}')).toBe('{"A":["[secret]"]}')
  // what the function saw already, and what is not an author's text
  expect(own.json(`{"type":"text","text":"${key}\u200B"}`)).toBe(
    '{"type":"text","text":"[secret]\u200B"}',
  )
  expect(own.json(JSON.stringify('\uD83D'))).toBe('"\uFFFD"')
  expect(own.mask(key)).toBe('[secret]')
  const half = toToolSanitizer(sanitizer, () => '\uD83D')
  expect(half.text('x')).toBe('\uFFFD')
})

test('the secrets of an env are read once', () => {
  let reads = 0
  const env = {
    get API_KEY() {
      reads += 1
      return key
    },
  }
  const open = createSanitizers({ vars: [], secrets: [], public: [] })
  expect(open(env).text(key)).toBe('[secret]')
  expect(open(env)).toBe(open(env))
  expect(reads).toBe(1)
  expect(open({ API_KEY: 'another-key-7Q2x9' }).text(`${key} another-key-7Q2x9`)).toBe(
    `${key} [secret]`,
  )
})
