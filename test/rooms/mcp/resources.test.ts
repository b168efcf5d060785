import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import * as z from 'zod'
import { ToolError, resourceLink } from '../../../src/define/reply.ts'
import { type Contents, defineResource } from '../../../src/define/resource.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { ask, createCall, createSettings, replyTo, toLogText, type Asked } from './test-call.ts'

// server/resources, "Reading Resources" and "Error Handling"; server/utilities/caching

let log: MockInstance<typeof console.error>
beforeEach(() => {
  log = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => log.mockRestore())

async function read(
  contents: () => Contents | Promise<Contents>,
  mime = 'text/plain',
  maxResultBytes = 100_000,
): Promise<Asked> {
  const resource = defineResource({ uri: 'shop://it', mime, read: contents })
  const settings = createSettings({ it: resource }, { maxResultBytes })
  return ask(settings, 'resources/read', { uri: 'shop://it' })
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const stream = (...chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
const notUtf8 = new Uint8Array([0xff, 0x00])
const uri = 'shop://it'

const dataUrl = 'data:image/png;base64,SGk='

describe('what a read returns becomes contents', () => {
  test.each<[string, string, () => Contents | Promise<Contents>, readonly JsonObject[]]>([
    ['text', 'text/plain', () => 'Hi', [{ uri, mimeType: 'text/plain', text: 'Hi' }]],
    ['empty text', 'text/plain', () => '', [{ uri, mimeType: 'text/plain', text: '' }]],
    [
      'text whatever the media type',
      'image/png',
      () => 'Hi',
      [{ uri, mimeType: 'image/png', text: 'Hi' }],
    ],
    [
      'bytes of an image',
      'image/png',
      () => bytes('Hi'),
      [{ uri, mimeType: 'image/png', blob: 'SGk=' }],
    ],
    [
      'bytes of text',
      'text/markdown; charset=utf-8',
      () => bytes('é'),
      [{ uri, mimeType: 'text/markdown; charset=utf-8', text: 'é' }],
    ],
    [
      'bytes of JSON',
      'application/ld+json',
      () => bytes('{}'),
      [{ uri, mimeType: 'application/ld+json', text: '{}' }],
    ],
    [
      'bytes that only claim to be text',
      'text/plain',
      () => notUtf8,
      [{ uri, mimeType: 'text/plain', blob: '/wA=' }],
    ],
    [
      'a stream, a character split over its chunks',
      'application/json',
      () => stream(bytes('"é"').slice(0, 2), bytes('"é"').slice(2)),
      [{ uri, mimeType: 'application/json', text: '"é"' }],
    ],
    [
      'the body of a response',
      'application/octet-stream',
      async () => new Response('Hi').body,
      [{ uri, mimeType: 'application/octet-stream', blob: 'SGk=' }],
    ],
    ['an empty stream', 'image/png', () => stream(), [{ uri, mimeType: 'image/png', blob: '' }]],
    [
      'one content of its own media type',
      'text/plain',
      () => ({ mime: 'text/html', text: '<p>' }),
      [{ uri, mimeType: 'text/html', text: '<p>' }],
    ],
    [
      'several contents',
      'text/plain',
      () => [
        { uri: 'shop://it/a', text: 'a' },
        { uri: 'shop://it/b', mime: 'image/png', blob: bytes('Hi') },
        { blob: 'SGk=' },
      ],
      [
        { uri: 'shop://it/a', mimeType: 'text/plain', text: 'a' },
        { uri: 'shop://it/b', mimeType: 'image/png', blob: 'SGk=' },
        { uri, mimeType: 'text/plain', blob: 'SGk=' },
      ],
    ],
    [
      'a buffer',
      'image/png',
      () => new Uint8Array([72, 105]).buffer,
      [{ uri, mimeType: 'image/png', blob: 'SGk=' }],
    ],
    [
      'a row of a database, with null for what it lacks',
      'text/plain',
      () =>
        JSON.parse(
          `[{"uri":null,"mime":null,"text":null,"blob":"SGk"},{"uri":"","text":"a","blob":null}]`,
        ),
      [
        { uri, mimeType: 'text/plain', blob: 'SGk=' },
        { uri, mimeType: 'text/plain', text: 'a' },
      ],
    ],
    [
      'a data URL, with its media type',
      'application/octet-stream',
      () => ({ blob: 'data:image/png;base64,SGk%3D' }),
      [{ uri, mimeType: 'image/png', blob: 'SGk=' }],
    ],
  ])('%s', async (_kind, mime, contents, expected) => {
    const { result } = await read(contents, mime)
    expect(result).toEqual({ contents: expected, ttlMs: 0, cacheScope: 'private' })
  })
})

test.each(['docs://%73ecret/1', 'DOCS://SECRET/1', 'docs://secret/1'])(
  'what a resource guards is not read as %s through a template that does not',
  async (uri) => {
    const common = { mime: 'text/plain', read: ({ uri: read }: { uri: string }) => read } as const
    const settings = createSettings({
      open: defineResource({ ...common, uri: 'docs://{+path}' }),
      secret: defineResource({ ...common, uri: 'docs://secret/{id}', scopes: ['admin'] }),
    })
    const { error } = await ask(settings, 'resources/read', { uri })
    expect(error).toMatchObject({ message: expect.stringContaining('lack a scope') })
  },
)

describe('a missing resource', () => {
  test.each<[string, () => Contents | Promise<Contents>]>([
    ['null', () => null],
    ['a promise of null', async () => null],
    ['an empty list, which the wire must not carry', () => []],
  ])('is not found when a read returns %s', async (_kind, contents) => {
    const { error } = await read(contents)
    expect(error).toMatchObject({ code: -32602, data: { uri } })
    expect(log).not.toHaveBeenCalled()
  })

  test.each(['shop://nothing', 'constructor', '', 'shop://it/', 'shop://it?x=1', 'SHOP://IT/a'])(
    'is not found under "%s"',
    async (uri) => {
      const resource = defineResource({ uri: 'shop://it', mime: 'text/plain', read: () => 'Hi' })
      const settings = createSettings({ it: resource })
      const { error } = await ask(settings, 'resources/read', { uri })
      expect(error).toMatchObject({ code: -32602, data: { uri } })
    },
  )

  test.each([{}, { uri: 1 }, { uri: null }])('has no URI in %j', async (params) => {
    const resource = defineResource({ uri: 'shop://it', mime: 'text/plain', read: () => 'Hi' })
    const settings = createSettings({ it: resource })
    expect((await ask(settings, 'resources/read', params)).error).toMatchObject({ code: -32602 })
  })
})

describe('a read that fails', () => {
  test('sends only an error id, under which the log has the reason', async () => {
    const { error } = await read(() => {
      throw new Error('no route to db.internal as root:hunter2')
    })
    expect(error?.['code']).toBe(-32603)
    expect(JSON.stringify(error)).not.toContain('hunter2')
    const [line = ''] = log.mock.calls[0] ?? []
    expect(toLogText(log.mock.calls)).toContain('hunter2')
    expect(error?.['message']).toContain(JSON.parse(String(line)).errorId)
  })

  test('sends the message of a ToolError', async () => {
    const { error } = await read(() => {
      throw new ToolError('The warehouse is closed. Try again tomorrow.')
    })
    expect(error).toEqual({ code: -32603, message: 'The warehouse is closed. Try again tomorrow.' })
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a number', 42],
    ['a content of no kind', {}],
    ['a content block of tools', resourceLink({ uri: 'a:b', name: 'a' })],
    ['a content with a number for a text', [{ text: 1 }]],
    ['a content with a number for a media type', [{ text: 'a', mime: 1 }]],
    ['a list with null in it', [null]],
    ['a content with a URI without a scheme', { uri: 'b', text: 'a' }],
    ['a content with a blob that is not Base64', { blob: 'https://a.example/b.png' }],
    ['a content with a data URL of another media type', { mime: 'image/gif', blob: dataUrl }],
    ['a Map', new Map([['text', 'a']])],
    ['a stream of text', new ReadableStream({ start: (end) => end.enqueue('text') })],
  ])('is one that returns %s', async (_kind, returned) => {
    const { error } = await read(() => JSON.parse('{}').never ?? returned)
    expect(error?.['code']).toBe(-32603)
    expect(toLogText(log.mock.calls)).toContain('shop://it')
  })

  describe('by taking too long', () => {
    beforeEach(() => {
      vi.useFakeTimers()
    })
    afterEach(() => {
      vi.useRealTimers()
    })

    const stopped = {
      code: -32603,
      message: expect.stringMatching(/did not finish within 30 seconds/),
    }

    test('is stopped, and its signal says so', async () => {
      const told = Promise.withResolvers<AbortSignal>()
      const resource = defineResource({
        uri,
        mime: 'text/plain',
        read({ signal }) {
          told.resolve(signal)
          return Promise.withResolvers<string>().promise
        },
      })
      const settings = createSettings({ it: resource })
      const asked = ask(settings, 'resources/read', { uri })
      await vi.advanceTimersByTimeAsync(30_000)
      expect((await asked).error).toMatchObject(stopped)
      expect((await told.promise).aborted).toBe(true)
    })

    test('is stopped where a stream falls silent, and the stream is cancelled', async () => {
      const cancelled = Promise.withResolvers<void>()
      const silent = new ReadableStream<Uint8Array>({ cancel: () => cancelled.resolve() })
      const asked = read(() => silent)
      await vi.advanceTimersByTimeAsync(30_000)
      expect((await asked).error).toMatchObject(stopped)
      await cancelled.promise
    })
  })
})

test('a read whose stream breaks off fails with an error id, even one that cannot be cancelled', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new Error('hunter2')),
  })
  const stubborn = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(600)),
    cancel: () => Promise.reject(new Error('hunter2')),
  })
  for (const { error } of [
    await read(() => broken),
    await read(() => stubborn, 'image/png', 1_000),
  ]) {
    expect(error?.['code']).toBe(-32603)
    expect(JSON.stringify(error)).not.toContain('hunter2')
  }
})

describe('a read of more than one result may have', () => {
  const large = 'x'.repeat(2_000)
  test.each<[string, string, () => Contents]>([
    ['text', 'text/plain', () => large],
    ['text of few characters but many bytes', 'text/plain', () => '世'.repeat(400)],
    ['bytes', 'image/png', () => bytes(large)],
    ['bytes that grow as Base64', 'image/png', () => new Uint8Array(900)],
    [
      'contents together',
      'text/plain',
      () => [{ text: large.slice(1_200) }, { text: large.slice(1_200) }],
    ],
    ['a blob', 'image/png', () => ({ blob: bytes(large) })],
  ])('fails with the limit in words: %s', async (_kind, mime, contents) => {
    const { error } = await read(contents, mime, 1_000)
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('1000 bytes') })
  })

  test('cancels a stream that has no end', async () => {
    const cancelled = Promise.withResolvers<void>()
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(600)),
      cancel: () => cancelled.resolve(),
    })
    const { error } = await read(() => endless, 'image/png', 1_000)
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('1000 bytes') })
    await cancelled.promise
  })
})

describe('a template', () => {
  const product = defineResource({
    uri: 'shop://products/{sku}{?page}',
    mime: 'application/json',
    params: z.object({ sku: z.string().length(6), page: z.coerce.number().default(1) }),
    read: ({ params, uri }) => JSON.stringify({ ...params, uri }),
  })
  const settings = createSettings({ product })

  test('passes its variables as its schema converts them', async () => {
    const uri = 'shop://products/KN-101?page=2'
    const { result } = await ask(settings, 'resources/read', { uri })
    const text = JSON.stringify({ sku: 'KN-101', page: 2, uri })
    expect(result?.['contents']).toEqual([{ uri, mimeType: 'application/json', text }])
  })

  test('is not found where its variables are wrong, with the reason', async () => {
    const uri = 'shop://products/KN-1?page=two'
    const { error } = await ask(settings, 'resources/read', { uri })
    expect(error).toMatchObject({ code: -32602, data: { uri } })
    expect(error?.['message']).toMatch(/sku.*page/s)
  })

  test.each(['shop://products/..%2fx', 'shop://products/KN%2f101', 'shop://products/KN-101/x'])(
    'never reads %s',
    async (uri) => {
      const { error } = await ask(settings, 'resources/read', { uri })
      expect(error).toMatchObject({ code: -32602, data: { uri } })
    },
  )
})

test.each([
  [
    { shared: true, cache: '5m' },
    { ttlMs: 300_000, cacheScope: 'public' },
  ],
  [{ shared: true }, { ttlMs: 0, cacheScope: 'public' }],
  [{ cache: '1m' }, { ttlMs: 60_000, cacheScope: 'private' }],
  [{}, { ttlMs: 0, cacheScope: 'private' }],
] as const)('a read of %j says %j, in its body and to HTTP', async (definition, hints) => {
  const plain = { uri, mime: 'text/plain', read: () => 'text' } as const
  const resource = defineResource({ ...plain, ...definition })
  const settings = createSettings({ it: resource })
  const { result, cache } = await ask(settings, 'resources/read', { uri })
  expect(result).toMatchObject(hints)
  expect(cache).toEqual(hints)
})

test('a shared read gets no caller, and any other read gets one', async () => {
  const shared = defineResource({
    uri: 'a:shared',
    mime: 'text/plain',
    shared: true,
    read: (context) => Object.keys(context).toSorted().join(),
  })
  const own = defineResource({
    uri: 'a:own',
    mime: 'text/plain',
    read: (context) => JSON.stringify(context.caller),
  })
  const settings = createSettings({ shared, own })
  const textAt = async (uri: string): Promise<string> =>
    JSON.stringify((await ask(settings, 'resources/read', { uri })).result)
  expect(await textAt('a:shared')).toContain('"env,log,params,signal,trace,uri"')
  expect(await textAt('a:own')).toContain('"null"')
})

test.each<[string, string, (text: string) => Contents]>([
  ['text', 'text/plain', (text) => text],
  ['bytes of text', 'text/plain', (text) => bytes(text)],
  ['one content of several', 'text/plain', (text) => [{ text: 'first' }, { text }]],
])('contents are sent without secrets and hidden characters: %s', async (_kind, mime, make) => {
  const it = defineResource({ uri, mime, read: () => make('hid\u202Eden hunter2-Xq8LmZ4v') })
  const env = { API_KEY: 'hunter2-Xq8LmZ4v' }
  const reply = await replyTo(
    createCall(createSettings({ it }), 'resources/read', { uri }, { env }),
  )
  expect(JSON.parse(reply).result.contents.at(-1).text).toBe('hidden [secret]')
})
