import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import {
  carry,
  defineHandle,
  definePrompt,
  defineResource,
  defineTool,
  form,
  type Tool,
  type WorkerOptions,
} from 'helve'
import { toStoredState } from '../../src/objects/handle-state.ts'
import reference from '../../docs/reference.md?raw'
import type { Made } from './registry.ts'
import { accept as acceptAsked, openAsked } from '../rooms/mcp/legacy/asked-call.ts'
import { toLegacyBody } from '../support/legacy-request.ts'
import { toModernRequest } from '../support/modern-request.ts'
import { createServer, url, type Reply } from './server.ts'

/* Tries each row of the table of limits in docs/reference.md: what fits, and what does not. */

const MiB = 1024 * 1024
const description = 'A tool of this test.'

afterEach(() => vi.useRealTimers())

function serve(made: Readonly<Record<string, Made>>, options: Partial<WorkerOptions> = {}) {
  const server = createServer(options, made)
  const capabilities = { elicitation: { form: {} } }
  return {
    ...server,
    call: (name: string, input: object = {}, more: object = {}): Promise<Reply> =>
      server.ask(
        'tools/call',
        { name, arguments: input, ...more },
        { meta: { 'io.modelcontextprotocol/clientCapabilities': capabilities } },
      ),
  }
}

function toTool(run: () => unknown, members: object = {}): Tool {
  return defineTool({ description, output: z.unknown(), run, ...members })
}

const never = (): Promise<never> => new Promise(() => {})
const isError = async (reply: Promise<Reply>): Promise<boolean> =>
  (await reply).body.result.isError === true

/** A body of this many bytes. */
function bodyOf(bytes: number): string {
  const body = { jsonrpc: '2.0', id: 1, method: 'x', params: { pad: '' } }
  return JSON.stringify({
    ...body,
    params: { pad: 'x'.repeat(bytes - JSON.stringify(body).length) },
  })
}

/** JSON of arrays within arrays, as deep as that. */
function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

/** Passes time without waiting, for what waits with `setTimeout`. */
async function passTime(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}

async function expectEnd<Ended>(reply: Promise<Ended>, afterMs: number): Promise<Ended> {
  let isOver = false
  const over = reply.finally(() => (isOver = true))
  await passTime(afterMs - 1)
  expect(isOver).toBe(false)
  await passTime(2)
  return over
}

const thanks = form('How much?', z.object({ text: z.string() }))
const accept = (text: string): object => ({ action: 'accept', content: { text } })

const trials: Readonly<Record<string, () => Promise<void>>> = {
  'the body of a request | 1 MiB': async () => {
    const { post } = serve({})
    expect((await post(bodyOf(MiB))).status).not.toBe(413)
    expect((await post(bodyOf(MiB + 1))).status).toBe(413)
  },
  'the time in which the body arrives | 30 s': async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const { worker, context } = serve({})
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const written = writer.write(new TextEncoder().encode('{')).catch(() => {})
    const { headers } = toModernRequest(url, 'tools/list')
    const request = new Request(url, { method: 'POST', headers, body: readable })
    const response = await expectEnd(worker.fetch(request, ...context()), 30_000)
    expect(response.status).toBe(408)
    await response.text()
    await written
  },
  'nesting of its JSON | 64 levels': async () => {
    const { post } = serve({})
    expect(JSON.stringify((await post(nested(64))).body)).not.toContain('nested')
    const { status, body } = await post(nested(65))
    expect([status, body.error.code]).toEqual([400, -32600])
    expect(body.error.message).toContain('nested')
  },
  'one call of a tool | 30 s, or its `timeout`': async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const { call } = serve({ slow: toTool(never), brief: toTool(never, { timeout: '1s' }) })
    expect((await expectEnd(call('slow'), 30_000)).text).toContain('isError')
    expect((await expectEnd(call('brief'), 1_000)).text).toContain('isError')
  },
  'silence before the response becomes a stream | 1 s': async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const { worker, context } = serve({ slow: toTool(never) })
    const request = toModernRequest(url, 'tools/call', { name: 'slow' })
    const response = await expectEnd(Promise.resolve(worker.fetch(request, ...context())), 1_000)
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    const text = response.text()
    await passTime(30_000)
    expect((await text).split(':\n\n').length).toBeGreaterThan(28)
  },
  'one read, prompt, list or completion | 30 s': async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const { ask } = serve({
      doc: defineResource({ uri: 'a://doc', mime: 'text/plain', read: never }),
      hello: definePrompt({
        description,
        input: z.object({ who: z.string() }),
        complete: { who: never },
        messages: never,
      }),
    })
    const requests = [
      ask('resources/read', { uri: 'a://doc' }, { headers: { 'Mcp-Name': 'a://doc' } }),
      ask('prompts/get', { name: 'hello', arguments: { who: 'a' } }),
      ask('completion/complete', {
        ref: { type: 'ref/prompt', name: 'hello' },
        argument: { name: 'who', value: '' },
      }),
    ]
    const ended = Promise.all(requests.map((request) => expectEnd(request, 0).catch(() => request)))
    await passTime(30_002)
    for (const { text } of await ended) expect(text).toContain('-32603')
  },
  'one `list` of a template | 20 s': async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const { ask } = serve({
      doc: defineResource({ uri: 'a://doc', mime: 'text/plain', read: () => '' }),
      rows: defineResource({ uri: 'b://{id}', mime: 'text/plain', read: () => '', list: never }),
    })
    const { text } = await expectEnd(ask('resources/list'), 20_000)
    expect(text).toContain('"uri":"a://doc"')
  },
  'one result, with its text copy | 4 MiB, or `maxResultBytes`': async () => {
    const quotes = '{"a":"","a":""}'.length
    const { call } = serve({
      value: defineTool({
        description,
        input: z.object({ length: z.int() }),
        output: z.object({ a: z.string() }),
        run: ({ input }) => ({ a: 'x'.repeat(input.length) }),
      }),
      text: toTool(() => 'x'.repeat(5 * MiB), { output: undefined }),
      small: toTool(() => ['x'.repeat(1_000)], { output: z.array(z.string()) }),
    })
    // the value and its copy share the limit, and the JSON around them takes a little
    const half = 2 * MiB - 100
    expect(await isError(call('value', { length: half - quotes }))).toBe(false)
    expect(await isError(call('value', { length: half + 200 }))).toBe(true)
    const cut = await call('text')
    expect(cut.body.result.isError).toBeUndefined()
    expect(cut.body.result.content[0].text).toMatch(
      /\[Cut here: \d+ of 5242880 characters are shown/,
    )
    const server = serve({ small: toTool(() => ['x'.repeat(1_000)]) }, { maxResultBytes: 1_000 })
    expect(await isError(server.call('small'))).toBe(true)
  },
  'checking arguments by JSON Schema | a number of steps': async () => {
    const item = { anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'integer', minimum: 0 }] }
    const items = { type: 'array', items: item }
    const input = { type: 'object', properties: { items } } as const
    const { call } = serve({ sum: toTool(() => 1, { input }) })
    expect(await isError(call('sum', { items: Array(1_000).fill(1) }))).toBe(false)
    expect(await isError(call('sum', { items: Array(200_000).fill(1) }))).toBe(true)
  },
  'calls of a tool with `limit` or `parallel` | as set, for each caller or address': async () => {
    const { promise, resolve } = Promise.withResolvers<number>()
    const { call } = serve({
      counted: toTool(() => 1, { limit: { tokens: 2, per: '1h' } }),
      held: toTool(() => promise, { parallel: 1 }),
    })
    expect(await isError(call('counted'))).toBe(false)
    expect(await isError(call('counted'))).toBe(false)
    expect(await isError(call('counted'))).toBe(true)
    const first = call('held')
    await vi.waitFor(async () => expect(await isError(call('held'))).toBe(true))
    resolve(1)
    expect((await first).text).not.toContain('isError')
  },
  'all requests, with `createWorker({ limit })` | as `[[ratelimits]]` sets it, for each caller or address; refused requests count for their address':
    async () => {
      const options: object = { limit: 'REQUESTS' }
      const { worker, context } = serve({ hello: toTool(() => 1) }, options)
      let left = 1
      const REQUESTS: RateLimit = { limit: async () => ({ success: left-- > 0 }) }
      const statusOf = async (): Promise<number> => {
        const [bindings, ctx] = context()
        const request = toModernRequest(url, 'tools/list')
        return (await worker.fetch(request, Object.assign(bindings, { REQUESTS }), ctx)).status
      }
      expect([await statusOf(), await statusOf()]).toEqual([200, 429])
    },
  'notifications that wait for a slow reader of a response | 1 MiB': async () => {
    const { worker, context } = serve({
      noisy: defineTool({
        description,
        run({ progress }) {
          for (let step = 0; step < 40; step += 1) progress(step, 40, 'x'.repeat(60_000))
          return 'done'
        },
      }),
    })
    const request = toModernRequest(
      url,
      'tools/call',
      { name: 'noisy' },
      {
        meta: { progressToken: 1 },
      },
    )
    const text = await (await worker.fetch(request, ...context())).text()
    const sent = text.split('notifications/progress').length - 1
    expect(sent).toBeGreaterThan(15)
    expect(sent).toBeLessThan(19)
    expect(text).toContain('"text":"done"')
  },
  'rounds of questions in one call | 8': async () => {
    const { call } = serve({
      curious: defineTool({
        description,
        ask: ({ answers }) => {
          const asked = Object.keys(answers).map((key) => [key, thanks] as const)
          return Object.fromEntries([...asked, [`q${asked.length}`, thanks]])
        },
        run: () => 'never',
      }),
    })
    let reply = await call('curious')
    let rounds = 0
    while (reply.body.result.resultType === 'input_required') {
      rounds += 1
      const [key = ''] = Object.keys(reply.body.result.inputRequests)
      const { requestState } = reply.body.result
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      reply = await call('curious', {}, { requestState, inputResponses: { [key]: accept('x') } })
    }
    expect(rounds).toBe(8)
    expect(reply.body.result.isError).toBe(true)
  },
  'answers and carried values between two rounds | about 5,900 bytes of JSON (8 KiB sealed), of which each question takes its key and about 60':
    async () => {
      const { call } = serve({
        carrying: defineTool({
          description,
          input: z.object({ length: z.int() }),
          ask: ({ input }) => ({ kept: carry('x'.repeat(input.length)), thanks }),
          run: () => 'done',
        }),
      })
      const asking = { result: { resultType: 'input_required' } }
      expect((await call('carrying', { length: 5_800 })).body).toMatchObject(asking)
      expect(await isError(call('carrying', { length: 6_000 }))).toBe(true)
    },
  'the time for one round | 10 minutes': async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { call } = serve({
      asking: defineTool({ description, ask: () => ({ thanks }), run: () => 'done' }),
    })
    const { requestState } = (await call('asking')).body.result
    const retry = { requestState, inputResponses: { thanks: accept('x') } }
    const minutes = 60_000
    vi.setSystemTime(Date.now() + 10 * minutes - 1_000)
    expect(await isError(call('asking', {}, retry))).toBe(false)
    vi.setSystemTime(Date.now() + 2_000)
    expect((await call('asking', {}, retry)).body.error.code).toBe(-32602)
  },
  'the state of a handle | 1 MiB of JSON': async () => {
    const blob = defineHandle({
      name: 'blob',
      prefix: 'blb',
      idle: '1h',
      state: z.object({ text: z.string() }),
      start: (text: string) => ({ text }),
      verbs: {},
    })
    const around = '{"text":""}'.length
    const store = (bytes: number): Uint8Array =>
      toStoredState(blob, { text: 'x'.repeat(bytes - around) })
    expect(store(MiB)).toHaveLength(MiB)
    expect(() => store(MiB + 1)).toThrow('too-large')
  },
  'the parameters of a cached result | 8 KiB in a URL': async () => {
    const { call } = serve({
      echo: defineTool({
        description,
        input: z.object({ text: z.string() }),
        hints: { readOnly: true },
        cache: '1h',
        run: ({ input }) => String(input.text.length),
      }),
    })
    const isStored = async (length: number): Promise<boolean> =>
      (await call('echo', { text: 'x'.repeat(length) })).headers.has('Cache-Status')
    expect(await isStored(7_900)).toBe(true)
    expect(await isStored(8_200)).toBe(false)
  },
  'the URI of a resource | 8,192 characters': async () => {
    const { ask } = serve({
      doc: defineResource({ uri: 'a://{id}', mime: 'text/plain', read: () => 'text' }),
    })
    const read = async (length: number): Promise<Reply> => {
      const uri = `a://${'x'.repeat(length - 4)}`
      return ask('resources/read', { uri }, { headers: { 'Mcp-Name': uri } })
    }
    expect((await read(8_192)).body.result.contents).toHaveLength(1)
    expect((await read(8_193)).body.error.code).toBe(-32602)
  },
  'completions | 100': async () => {
    const { ask } = serve({
      hello: definePrompt({
        description,
        input: z.object({ who: z.string() }),
        complete: { who: () => Array.from({ length: 150 }, (_, index) => `a${index}`) },
        messages: () => 'Hello.',
      }),
    })
    const { body } = await ask('completion/complete', {
      ref: { type: 'ref/prompt', name: 'hello' },
      argument: { name: 'who', value: 'a' },
    })
    expect(body.result.completion).toMatchObject({ total: 150, hasMore: true })
    expect(body.result.completion.values).toHaveLength(100)
  },
  "URIs in one `subscriptions/listen` | 100, and 16,000 bytes with the caller's scopes":
    async () => {
      const { worker, context } = serve({
        docs: defineResource({ uri: 'doc://{id}', mime: 'text/plain', read: () => '' }),
      })
      const listen = async (count: number, length: number): Promise<number | null> => {
        const uris = Array.from(
          { length: count },
          (_, index) => `doc://${String(index).padStart(length, '0')}`,
        )
        const params: object = { notifications: { resourceSubscriptions: uris } }
        const response = await worker.fetch(
          toModernRequest(url, 'subscriptions/listen', params),
          ...context(),
        )
        if (response.headers.get('Content-Type') !== 'text/event-stream') {
          const { error }: { error: { code: number } } = await response.json()
          return error.code
        }
        await response.body?.cancel()
        return null
      }
      expect(await listen(100, 100)).toBe(null)
      expect(await listen(101, 100)).toBe(-32602)
      expect(await listen(100, 200)).toBe(-32602)
    },
  'a listen stream | 1 hour, or 256 KiB behind': async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const { worker, context } = serve({ hello: toTool(() => 1) })
    const params: object = { notifications: { toolsListChanged: true } }
    const request = toModernRequest(url, 'subscriptions/listen', params)
    const response = await worker.fetch(request, ...context())
    expect(await expectEnd(response.text(), 3_600_000)).toContain('"result"')
  },
  'the session of a client that begins with `initialize` | 30 days': async () => {
    const { askLegacy, initialize } = serve({})
    vi.useFakeTimers({ toFake: ['Date'] })
    const session = await initialize()
    vi.advanceTimersByTime(30 * 86_400_000 - 1)
    expect((await askLegacy('ping', {}, { session })).status).toBe(200)
    vi.advanceTimersByTime(1)
    expect((await askLegacy('ping', {}, { session })).status).toBe(404)
  },
  'subscriptions of a session | 100, and 12,000 bytes': async () => {
    const list = defineResource({
      uri: 'x://{path}',
      mime: 'text/plain',
      description,
      read: () => '',
    })
    const { askLegacy, initialize } = serve({ list })
    const subscribe = async (uris: readonly string[]): Promise<unknown> => {
      const session = await initialize()
      let last: Reply | null = null
      for (const uri of uris) {
        // oxlint-disable-next-line no-await-in-loop
        last = await askLegacy('resources/subscribe', { uri }, { session })
      }
      return last?.body.error?.code
    }
    const toUris = (length: number, pad = ''): string[] =>
      Array.from({ length }, (_, n) => `x://${pad}${n}`)
    expect(await subscribe(toUris(100))).toBeUndefined()
    expect(await subscribe(toUris(101))).toBe(-32602)
    // as JSON: 11,996 and 12,001 bytes
    expect(await subscribe(toUris(5, 'y'.repeat(2_391)))).toBeUndefined()
    expect(await subscribe(toUris(5, 'y'.repeat(2_392)))).toBe(-32602)
  },
  'all answers of one round from such a client | 1,048,576 characters of JSON': async () => {
    const ask = () => ({ one: thanks, two: thanks })
    const server = serve({ tip: defineTool({ description, ask, run: () => 'Thanks.' }) })
    const session = await server.initialize('2025-11-25', { elicitation: {} })
    const answer = async (length: number): Promise<string> => {
      const asked = await openAsked(server, 'tools/call', { name: 'tip' }, { session })
      const [one, two] = [await asked.next(), await asked.next()]
      const texts = ['x'.repeat(length / 2), 'x'.repeat(length / 2)]
      await server.postLegacy(acceptAsked(one, { text: texts[0] }), { session })
      await server.postLegacy(acceptAsked(two, { text: texts[1] }), { session })
      return JSON.stringify(await asked.rest())
    }
    expect(await answer(MiB - 1_000)).toContain('Thanks.')
    expect(await answer(MiB)).toContain('longer than 1048576 characters')
  },
  'messages in one batch of revision 2025-03-26 | 100': async () => {
    const { postLegacy } = serve({})
    const post = (length: number): Promise<Reply> => {
      const pings = Array.from({ length }, (_, id) => toLegacyBody('ping', {}, id))
      return postLegacy(`[${pings.join(',')}]`, { version: '2025-03-26' })
    }
    expect((await post(100)).text.match(/"result":\{\}/g)).toHaveLength(100)
    const { status, body } = await post(101)
    expect([status, body.error.code]).toEqual([400, -32600])
  },
  'the results of one batch | 4 MiB, or `maxResultBytes`': async () => {
    const large = toTool(() => 'x'.repeat(600), { output: undefined })
    const { postLegacy } = serve({ large }, { maxResultBytes: 1_000 })
    const calls = Array.from({ length: 20 }, (_, id) =>
      toLegacyBody('tools/call', { name: 'large', arguments: {} }, id),
    )
    const { text } = await postLegacy(`[${calls.join(',')}]`, { version: '2025-03-26' })
    // ten at a time are served
    expect(text.match(/"result":/g)).toHaveLength(10)
    expect(text.match(/"error":\{"code":-32603,/g)).toHaveLength(10)
  },
}

/** Rows that need more than this server, with the tests that try them. */
const triedElsewhere = [
  // rooms/mcp/deadline, blackbox/held
  'code that goes on after its time limit or its client | 0.5 s',
  // rooms/auth/asked-tokens
  'tokens, keys and other credentials that were refused after a question to others, without `createWorker({ limit })` | 30 in a minute, for each address and isolate',
  // rooms/state/hub
  'listen streams of one caller, or of one address of anonymous callers | 64, or `hub.perCaller`',
  // rooms/mcp/subscriptions
  'a listen stream whose credentials are revoked or lose a scope | 60 s, and [what is cached](securing.md#open-streams)',
  'a listen stream whose credentials cannot be checked | 5 minutes',
  // rooms/mcp/legacy/ask-client
  'the answer to a question to a client that begins with `initialize` | 5 minutes',
]

/** The first two columns, as the keys of `trials`: a value that changes needs another trial. */
const rows = reference
  .slice(reference.indexOf('## Limits'), reference.indexOf('## Errors'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| limit'))
  .map((line) => line.split(' | ').slice(0, 2).join(' | ').slice(2))

test('each row of the table has a trial', () => {
  expect(rows.toSorted()).toEqual([...Object.keys(trials), ...triedElsewhere].toSorted())
})

// oxlint-disable-next-line vitest/expect-expect -- each trial has its own
test.each(Object.entries(trials))('%s', (_, run) => run())
