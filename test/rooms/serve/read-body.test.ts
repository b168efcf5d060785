import { expect, test } from 'vitest'
import { readBody } from '../../../src/serve/read-body.ts'
import { toPost, toStream } from './served.ts'

const limit = 1024 * 1024
const tooLarge = { failure: { kind: 'body-too-large', limit } }
const notUtf8 = { failure: { kind: 'unparsable', why: 'the body is not UTF-8.' } }

test('a body of exactly 1 MiB is read', async () => {
  const body = 'a'.repeat(limit)
  expect(await readBody(toPost(body))).toHaveLength(limit)
  expect(await readBody(toPost(toStream(body)))).toHaveLength(limit)
  const announced = toPost(toStream(body), { 'Content-Length': String(limit) })
  expect(await readBody(announced)).toHaveLength(limit)
})

test('a body that announces more than 1 MiB is refused unread', async () => {
  const request = toPost(toStream('{}'), { 'Content-Length': String(limit + 1) })
  expect(await readBody(request)).toMatchObject(tooLarge)
  expect(request.bodyUsed).toBe(false)
})

test('a body without a length is not read past 1 MiB', async () => {
  let sent = 0
  let cancelled = false
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536))
    },
    cancel() {
      cancelled = true
    },
  })
  expect(await readBody(toPost(endless))).toMatchObject(tooLarge)
  expect(cancelled).toBe(true)
  expect(sent).toBeLessThanOrEqual(limit + 3 * 65_536)
})

test('characters come through whole, however the bytes are cut', async () => {
  const text = '{"a":"é世😀\u{10ffff}"}'
  const bytes = new TextEncoder().encode(text)
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
  expect(await readBody(toPost(toStream(...single)))).toBe(text)
  const halves = Array.from(bytes, (_, cut) => [bytes.subarray(0, cut), bytes.subarray(cut)])
  const read = await Promise.all(halves.map((cut) => readBody(toPost(toStream(...cut)))))
  expect(new Set(read)).toEqual(new Set([text]))
  expect(await readBody(toPost(bytes))).toBe(text)
})

test.each([
  ['a byte that begins nothing', [0xff]],
  ['a character cut short', [0xf0, 0x9f, 0x98]],
  ['an overlong form', [0xc0, 0xaf]],
  ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
  ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
])('%s is refused, and the next body is read', async (_, bytes) => {
  const bad = Uint8Array.from([0x22, ...bytes, 0x22])
  expect(await readBody(toPost(bad))).toMatchObject(notUtf8)
  expect(await readBody(toPost(toStream(bad)))).toMatchObject(notUtf8)
  expect(await readBody(toPost('"é"'))).toBe('"é"')
})

test('a genuine U+FFFD is a character like others', async () => {
  expect(await readBody(toPost('"\uFFFD"'))).toBe('"\uFFFD"')
})

test('a byte order mark in front is dropped', async () => {
  expect(await readBody(toPost('\uFEFF{}'))).toBe('{}')
})

test('no body at all is empty text', async () => {
  const headers = { 'Content-Type': 'application/json' }
  expect(await readBody(new Request('http://127.0.0.1/mcp', { method: 'POST', headers }))).toBe('')
})

test('a body that breaks off is refused quietly', async () => {
  const broken = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"jsonrpc":'))
    },
    pull(controller) {
      controller.error(new Error('Network connection lost.'))
    },
  })
  expect(await readBody(toPost(broken))).toMatchObject({
    failure: { kind: 'unparsable', why: 'the body ended too early.' },
  })
})
