import { describe, expect, test, vi } from 'vitest'
import { readBody } from '../../../src/serve/read-body.ts'
import { ping, send, toPost, toStream } from './served.ts'

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

const readBefore = { failure: { kind: 'body-read-before' } }
const late = { failure: { kind: 'body-too-late', seconds: 30 } }

describe('a body that other code has read', () => {
  const length = (text: string) => ({ 'Content-Length': String(text.length) })
  const requests: [string, () => Request][] = [
    ['without a length', () => toPost(toStream('{}'))],
    ['with a length', () => toPost('{}', length('{}'))],
    ['of a stream with a length', () => toPost(toStream('{}'), length('{}'))],
  ]

  test.each(requests)('%s is not a fault of the client', async (_, create) => {
    const whole = create()
    await whole.text()
    expect(await readBody(whole)).toMatchObject(readBefore)

    const cancelled = create()
    await cancelled.body?.cancel()
    expect(await readBody(cancelled)).toMatchObject(readBefore)

    const begun = create()
    const reader = begun.body?.getReader()
    await reader?.read()
    reader?.releaseLock()
    expect(await readBody(begun)).toMatchObject(readBefore)

    const locked = create()
    locked.body?.getReader()
    expect(await readBody(locked)).toMatchObject(readBefore)
  })

  test('is answered with what to do', async () => {
    const request = toPost(ping)
    await request.json()
    const { status, body } = await send(request)
    expect(status).toBe(500)
    expect(body).toMatchObject({
      error: {
        code: -32603,
        message:
          "The request's body was read before Helve got it. In the Worker's code, pass " +
          '`request.clone()` to what reads it first.',
      },
    })
  })

  test('is read where the other code took a clone', async () => {
    const request = toPost(ping)
    await request.clone().text()
    expect((await send(request)).status).toBe(200)
  })
})

/** A stream that sends a byte each 5 milliseconds, or nothing, and never ends. */
function createEndless(sends: boolean) {
  const state = { isCancelled: false }
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await (sends ? scheduler.wait(5) : new Promise(() => {}))
      if (!state.isCancelled) controller.enqueue(Uint8Array.of(0x20))
    },
    cancel() {
      state.isCancelled = true
    },
  })
  return { stream, state }
}

describe('a body that does not end in time', () => {
  test.each([
    ['silent', false],
    ['slow', true],
  ])('is cancelled: %s', async (_, sends) => {
    const { stream, state } = createEndless(sends)
    expect(await readBody(toPost(stream), 50)).toMatchObject(late)
    expect(state.isCancelled).toBe(true)
  })

  test.each([
    ['silent', false],
    ['slow', true],
  ])('is not waited for, with a length: %s', async (_, sends) => {
    const { stream } = createEndless(sends)
    expect(await readBody(toPost(stream, { 'Content-Length': '100000' }), 50)).toMatchObject(late)
  })

  test('is cancelled, though cancelling fails the read that waits, as on the network', async () => {
    const { readable, writable } = new IdentityTransformStream()
    const writer = writable.getWriter()
    const writing = writer.write(Uint8Array.of(0x20)).catch(() => {})
    expect(await readBody(toPost(readable), 50)).toMatchObject(late)
    await writing
  })

  test('leaves no timer behind', async () => {
    const clear = vi.spyOn(globalThis, 'clearTimeout')
    await readBody(toPost('{}', { 'Content-Length': '2' }))
    await readBody(toPost(toStream('{}')))
    expect(clear).toHaveBeenCalledTimes(2)
    clear.mockRestore()
  })
})

test.each(['gzip', 'br', 'deflate', 'zstd', 'GZIP', 'identity, gzip', 'x', ' , '])(
  'a Content-Encoding of "%s" is refused with the one that is accepted',
  async (encoding) => {
    const { status, headers, body } = await send(toPost(ping, { 'Content-Encoding': encoding }))
    expect(status).toBe(415)
    expect(headers.get('Accept-Encoding')).toBe('identity')
    expect(body).toMatchObject({
      error: { code: -32600, message: expect.stringContaining('only identity is accepted') },
    })
  },
)

test.each(['identity', 'Identity', '', 'identity, identity'])(
  'a Content-Encoding of "%s" changes nothing',
  async (encoding) => {
    expect((await send(toPost(ping, { 'Content-Encoding': encoding }))).status).toBe(200)
  },
)
