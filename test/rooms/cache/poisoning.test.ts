import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { defineResource, defineTool } from 'helve'
import { toNormalUri, withLowerHost } from '../../../src/protocol/uri.ts'
import { url, type Reply } from '../../spec/server.ts'
import { toModernHeaders, toModernRequest, type Changes } from '../../support/modern-request.ts'
import {
  checkTimes,
  isHit,
  makeThings,
  modes,
  anonymous,
  runsOf,
  serve,
  things,
  toComparable,
  turn,
  withoutOwn,
  type Mode,
} from './crossing-stage.ts'

// server/utilities/caching, "Cache Key": what is not in the key cannot get into a result

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const header = (name: string, value: string): [string, Changes] => [
  name,
  { headers: { [name]: value } },
]
const meta = (name: string, value: unknown): [string, Changes] => [
  name,
  { meta: { [name]: value } },
]

const poisons = [
  header('X-Forwarded-Host', 'evil.example'),
  header('X-Host', 'evil.example'),
  header('X-Original-URL', '/evil'),
  header('X-Rewrite-URL', '/evil'),
  header('X-HTTP-Method-Override', 'EVIL'),
  header('X-Forwarded-Scheme', 'evil'),
  header('Forwarded', 'host=evil.example'),
  header('Cookie', 'session=evil'),
  header('Cf-Cache-Status', 'HIT'),
  header('Cf-Connecting-IP', '6.6.6.6'),
  header('Cf-Worker', 'evil.example'),
  header('Cloudflare-Workers-Version-Key', 'evil'),
  header('Helve-Made-At', '1'),
  header('Cache-Control', 'no-store, evil'),
  header('Pragma', 'no-cache'),
  header('Range', 'bytes=0-1'),
  header('If-None-Match', '*'),
  header('Accept-Encoding', 'evil'),
  header('Vary', '*'),
  meta('traceparent', '00-eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee-eeeeeeeeeeeeeeee-01'),
  meta('baggage', 'who=evil'),
  meta('progressToken', 'evil'),
  meta('io.modelcontextprotocol/logLevel', 'emergency'),
  meta('io.modelcontextprotocol/clientCapabilities', { roots: {}, experimental: { evil: {} } }),
  meta('io.modelcontextprotocol/clientInfo', { name: 'evil', version: '6' }),
  meta('evil', { caller: { subject: 'evil', scopes: ['admin'], claims: {} } }),
]

describe.each(modes)('with cache: %j', (mode) => {
  test.each(poisons)('%s does not get into the reply to the next caller', async (_name, poison) => {
    const server = serve(mode)
    const uncached = serve(false)
    for (const thing of Object.values(things)) {
      // oxlint-disable no-await-in-loop -- the order is the point
      const poisoned = await server.ask(thing, anonymous, poison)
      const clean = await server.ask(thing, anonymous)
      const again = await server.ask(thing, anonymous, poison)
      const expected = toComparable(await uncached.ask(thing, anonymous))
      // oxlint-enable no-await-in-loop
      for (const reply of [poisoned, clean, again]) {
        expect(toComparable(reply)).toEqual(expected)
        expect(withoutOwn(reply.text)).not.toMatch(/evil|eeeeeeee|6\.6\.6/i)
      }
      // and does not change the key
      expect([clean, again].map(runsOf)).toEqual([runsOf(poisoned), runsOf(poisoned)])
    }
    expect(JSON.stringify(server.edge.log)).not.toMatch(/evil|eeeeeeee|6\.6\.6|secret-/i)
  })

  test('unknown parameters make no difference', async () => {
    const server = serve(mode)
    for (const thing of Object.values(things)) {
      const more = { audience: {}, caller: { subject: 'x' }, visible: ['it://concealed'], junk: 1 }
      // oxlint-disable no-await-in-loop -- the order is the point
      const first = await server.ask({ ...thing, params: { ...more, ...thing.params } }, 'bob-1')
      const second = await server.ask(thing, 'bob-1')
      // oxlint-enable no-await-in-loop
      expect(toComparable(second)).toEqual(toComparable(first))
      expect(runsOf(second)).toBe(runsOf(first))
    }
  })

  test.each([['Bearer stolen'], ['Basic YWRhLTE6'], ['bearer'], ['Bearer ada-1x']])(
    'with Authorization: %s the cache is not asked',
    async (Authorization) => {
      const server = serve(mode)
      for (const thing of Object.values(things)) {
        // oxlint-disable no-await-in-loop -- the order is the point
        const cached = await server.ask(thing, 'ada-1')
        const refused = await server.ask(thing, anonymous, { headers: { Authorization } })
        // oxlint-enable no-await-in-loop
        expect([cached.status, refused.status]).toEqual([200, 401])
        expect(refused.text).not.toMatch(/run-|subject-/)
      }
      expect(JSON.stringify(server.edge.log)).not.toMatch(/stolen|Basic/)
    },
  )

  test('an Mcp-Param header that disagrees is refused, although the result is cached', async () => {
    const input = z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) })
    let runs = 0
    const server = serve(mode, {
      ask: defineTool({
        description: 'Asks a region.',
        input,
        cache: '5m',
        shared: true,
        hints: { readOnly: true },
        run: ({ input: { region } }) => `run-${(runs += 1)} of ${region}`,
      }),
    })
    const thing = { method: 'tools/call', params: { name: 'ask', arguments: { region: 'eu' } } }
    const ask = (region: string | null) =>
      server.ask(thing, anonymous, { headers: { 'Mcp-Param-Region': region } })
    const replies = [
      await ask('us'),
      await ask('eu'),
      await ask('us'),
      await ask(null),
      await ask('eu'),
    ]
    expect(replies.map(({ status }) => status)).toEqual([400, 200, 400, 400, 200])
    expect(replies.map(runsOf)).toEqual(['', 'run-1', '', '', 'run-1'])
    expect(server.edge.log).toHaveLength(mode === 'workers' ? 2 : 0)
  })

  test('a retry with a made-up state or answers does not use the cache', async () => {
    const retries = [
      { inputResponses: {} },
      { requestState: 'made up' },
      { inputResponses: { a: 1 } },
    ]
    vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const { method, params, madeFor } of Object.values(things)) {
      const server = serve(mode)
      const logged: number[] = []
      for (const retry of retries) {
        const retried = { method, params: { ...params, ...retry } }
        // oxlint-disable no-await-in-loop -- the order is the point
        const before = await server.ask(retried, 'ada-1')
        logged.push(server.edge.log.length)
        expect(before.body.result?.ttlMs ?? 0).toBe(0)
        expect(before.headers.get('Cache-Status')).toBeNull()
        const cached = await server.ask({ method, params }, 'ada-1')
        const after = await server.ask(retried, 'ada-1')
        expect(after.headers.get('Cache-Status')).toBeNull()
        expect(runsOf(after)).not.toBe(runsOf(cached))
        expect(madeFor === 'every caller' && after.text.includes('subject-')).toBe(false)
        // oxlint-enable no-await-in-loop
      }
      // a retry alone reaches no cache
      expect(logged[0]).toBe(0)
      expect(server.edge.log.filter(({ status }) => status !== 'HIT').length).toBeLessThan(2)
    }
    vi.restoreAllMocks()
  })
})

const tool = defineTool({
  description: 'Says what it was given.',
  input: z.looseObject({}),
  cache: '5m',
  shared: true,
  hints: { readOnly: true },
  run: ({ input }) => (Object.is(input['a'], -0) ? 'minus zero' : JSON.stringify(input)),
})

/** Spellings of arguments, in groups that are equal. */
const spellings = [
  ['{"a":1,"b":2}', '{"b":2,"a":1}', '{ "a" : 1.0, "b" : 2e0 }', '{"a":10e-1,"\\u0062":2}'],
  ['{"a":"1"}', '{"a":"\\u0031"}'],
  ['{"a":1}', '{"a":1.0}', '{"a":1e0}', '{"a":0.1e1}'],
  ['{"a":9007199254740992}', '{"a":9007199254740992.0}'],
  ['{"a":"\u00e9"}', '{"a":"\\u00e9"}'],
  ['{"a":"e\u0301"}'],
  ['{"a":"&b=1#?+ %20"}'],
  ['{"a":"%26b=1"}'],
  ['{"a":null}'],
  ['{"a":0}', '{"a":-0}'],
  ['{}'],
  ['{"a":[]}'],
  ['{"a":{}}'],
  ['{"a":[1,2]}'],
  ['{"a":[2,1]}'],
  ['{"a":{"x":1,"y":2}}', '{"a":{"y":2,"x":1}}'],
  ['{"__proto__":{"a":1}}'],
  ['{"a":1,"__proto__":{"b":2}}'],
  ['{"constructor":{"prototype":{}}}'],
  ['{"a\\u0000":"\\u0000\\r\\nSet-Cookie: x"}'],
  ['{"2":"b","1":"a"}', '{"1":"a","2":"b"}'],
  [`{"a":"${'x'.repeat(9_000)}"}`],
  [`{"a":"${'x'.repeat(9_000)}y"}`],
]

describe.each(modes)('with cache: %j, arguments', (mode) => {
  test.each([
    ['in order', spellings.flat()],
    ['backwards', spellings.flat().toReversed()],
  ])('in any spelling, %s, get the result of a server without a cache', async (_order, texts) => {
    const [server, uncached] = [serve(mode, { tell: tool }), serve(false, { tell: tool })]
    for (const text of texts) {
      // oxlint-disable no-await-in-loop -- the order is the point
      const reply = checkTimes(await server.post(toCall(text), callHeaders))
      const expected = await uncached.post(toCall(text), callHeaders)
      // oxlint-enable no-await-in-loop
      expect(toComparable(reply)).toEqual(toComparable(expected))
    }
  })

  test('have the same key if they are equal, and else another', async () => {
    for (const [index, group] of spellings.slice(0, -2).entries()) {
      const server = serve(mode, { tell: tool })
      const others = spellings.slice(0, -2).filter((_, other) => other !== index)
      // oxlint-disable no-await-in-loop -- the order is the point
      for (const [text = ''] of others) await server.post(toCall(text), callHeaders)
      const replies: Reply[] = []
      for (const text of group) replies.push(await server.post(toCall(text), callHeaders))
      // oxlint-enable no-await-in-loop
      expect(replies.map(isHit)).toEqual(group.map((_, nth) => nth > 0))
    }
  }, 30_000)

  test.each([['{"a":1,"a":2}'], ['{"a":"\\ud800"}'], ['{"a":1e999}'], ['[]'], ['"a"'], ['null']])(
    'such as %s are refused before the cache',
    async (text) => {
      const server = serve(mode, { tell: tool })
      const reply = checkTimes(await server.post(toCall(text), callHeaders))
      expect(reply.body.error.code).toBeLessThan(-32_000)
      expect(server.edge.log).toEqual([])
    },
  )

  test('such as a large number that would become another are refused before the cache', async () => {
    const server = serve(mode, { tell: tool })
    const reply = checkTimes(await server.post(toCall('{"a":9007199254740993}'), callHeaders))
    expect(reply.body.result.isError).toBe(true)
    expect(server.edge.log).toEqual([])
  })
})

const callHeaders = toModernHeaders('tools/call', { name: 'tell' })

function toCall(text: string): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = `{"name":"tell","arguments":${text},"_meta":${JSON.stringify(meta)}}`
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
}

const uris = [
  'it://shared/a',
  'it://shared/A',
  'IT://shared/a',
  'it://Shared/a',
  'it://shared/a/',
  'it://shared//a',
  'it://shared/%61',
  'it://shared/a%2Fb',
  'it://shared/a%2fb',
  'it://shared/a/b',
  'it://shared/a%252Fb',
  'it://shared/a?',
  'it://shared/a#',
  'it://shared/a&uri=it://concealed',
  'it://shared/a+b',
  'it://shared/a%20b',
  'it://shared/a b',
  'it://shared/../concealed',
  'it://shared/%2e%2e',
  'it://shared/%C3%A9',
  'it://shared/e%CC%81',
  'it://shared/\u00e9',
  'it://shared/%EF%BF%BD',
  'it://shared/%ED%A0%80',
  'it://shared/\ufffd',
  'it://shared/\ud800',
  'it://shared/\udc00',
  'it://shared/%00',
  'it://shared/\u0000',
  'it://shared',
  'it://shared/',
  'it://concealed/',
  'it://concealed',
  ` it://concealed`,
  `it://shared/${'x'.repeat(8_100)}`,
  `it://shared/${'x'.repeat(8_101)}`,
]

describe.each(modes)('with cache: %j, URIs', (mode) => {
  test.each([
    ['in order', uris],
    ['backwards', uris.toReversed()],
  ])('that nearly match, %s, share a result only if they are one URI', async (_order, asked) => {
    const [server, uncached] = [serve(mode), serve(false)]
    const replies: Reply[] = []
    for (const uri of [...asked, ...asked]) {
      // a header cannot carry it: the body alone says what is read
      const thing = { method: 'resources/read', params: { uri } }
      const changes = { headers: { 'Mcp-Name': toHeader(uri) } }
      // oxlint-disable no-await-in-loop -- the order is the point
      const reply = await server.ask(thing, 'bob-1', changes)
      const expected = await uncached.ask(thing, 'bob-1', changes)
      // oxlint-enable no-await-in-loop
      expect(toComparable(reply)).toEqual(toComparable(expected))
      expect(reply.body.result?.contents[0].uri ?? toNormal(uri)).toBe(toNormal(uri))
      replies.push(reply)
    }
    const served = replies.flatMap((reply, at) => {
      const run = runsOf(reply)
      return run ? [{ run, uri: toNormal(asked[at % asked.length] ?? '') }] : []
    })
    const pairs = new Set(served.map(({ run, uri }) => `${run} ${uri}`))
    expect(pairs.size).toBeGreaterThan(10)
    expect(new Set(served.map(({ run }) => run)).size).toBe(pairs.size)
  })

  test('of lists with the cursor of another caller show only what the caller may see', async () => {
    const [server, uncached] = [
      serve(mode, makeThings(), { page: 1 }),
      serve(false, makeThings(), { page: 1 }),
    ]
    const follow = async (who: string): Promise<string[]> => {
      const cursors: string[] = []
      let cursor: string | undefined
      do {
        // oxlint-disable-next-line no-await-in-loop -- each page names the next
        const { body } = await server.ask(toPage(cursor), who)
        cursor = body.result.nextCursor
        if (cursor !== undefined) cursors.push(cursor)
      } while (cursor !== undefined)
      return cursors
    }
    const cursors = [
      ...(await follow('ada-1')),
      ...(await follow(anonymous)),
      ...(await follow('ada-1')),
    ]
    expect(new Set(cursors).size).toBeGreaterThan(3)
    for (const cursor of [...cursors, '', 'made up', `${cursors[0]}=`, '\ufffd', '\u0000']) {
      for (const who of [anonymous, 'cyd-1', 'ada-1']) {
        // oxlint-disable no-await-in-loop -- the order is the point
        const reply = await server.ask(toPage(cursor), who)
        const expected = await uncached.ask(toPage(cursor), who)
        // oxlint-enable no-await-in-loop
        expect(toComparable(reply)).toEqual(toComparable(expected))
        const hidden = { [anonymous]: /concealed|guarded/, 'cyd-1': /concealed/ }[who] ?? /never/
        expect(withoutPlace(reply)).not.toMatch(hidden)
      }
    }
  })
})

function toNormal(uri: string): string {
  return withLowerHost(toNormalUri(uri) ?? uri)
}

/** A page without its cursor, which may contain a name that the caller sent. */
function withoutPlace({ text }: Reply): string {
  return text.replace(/"nextCursor":"[^"]*"/, '')
}

function toPage(cursor: string | undefined) {
  return { method: 'resources/list', params: cursor === undefined ? {} : { cursor } }
}

/** Encodes a header value as clients do (basic/transports/streamable-http). */
function toHeader(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
  return isPlain ? text : `=?base64?${new TextEncoder().encode(text).toBase64()}?=`
}

describe.each(modes)(
  'with cache: %j, a client that leaves while its result is computed',
  (mode) => {
    test('does not cancel the work that others wait for', async () => {
      const { ask, leave, open, runs } = createSlow(mode)
      const gone = ask(true)
      const waiting = [ask(false), ask(false)]
      await turn()
      leave()
      await turn()
      open()
      const replies = await Promise.all(waiting)
      await gone
      const texts = await Promise.all(replies.map((reply) => reply.text()))
      expect(texts.every((text) => text.includes('run-'))).toBe(true)
      expect(runs()).toBe(1)
    })

    test('leaves a good result for later requests', async () => {
      const { ask, leave, open, runs } = createSlow(mode)
      const gone = ask(true)
      await turn()
      leave()
      open()
      await gone
      await turn()
      const later = await (await ask(false)).text()
      expect(later).toMatch(/run-[12]/)
      expect(later).not.toContain('isError')
      expect(runs()).toBeLessThan(3)
    })
  },
)

function createSlow(mode: Mode) {
  let runs = 0
  const gate = Promise.withResolvers<void>()
  const client = new AbortController()
  const run = async (): Promise<string> => {
    runs += 1
    const number = runs
    await gate.promise
    return `run-${number}`
  }
  const server = serve(mode, {
    slow: defineTool({
      description: 'Takes its time.',
      cache: '5m',
      shared: true,
      hints: { readOnly: true },
      run,
    }),
    page: defineResource({ uri: 'it://page', mime: 'text/plain', read: run }),
  })
  const ask = async (leaves: boolean): Promise<Response> => {
    const request = toModernRequest(url, 'tools/call', { name: 'slow' })
    const sent = leaves ? new Request(request, { signal: client.signal }) : request
    return server.worker.fetch(sent, ...server.context())
  }
  return { ask, leave: () => client.abort(), open: gate.resolve, runs: () => runs }
}
