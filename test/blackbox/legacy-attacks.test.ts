import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDevLog } from '../support/dev-log.ts'
import { flood } from '../support/flood.ts'
import { startGuarded, type Guarded } from '../support/guarded.ts'
import {
  type LegacyChanges,
  toInitialize,
  toLegacyBody,
  toLegacyHeaders,
  toLegacyPost,
  toLegacyRequest,
} from '../support/legacy-request.ts'
import { toModernBody, toModernHeaders } from '../support/modern-request.ts'
import { startWranglerDev, type WranglerDev } from '../support/wrangler-dev.ts'

/* What clients of earlier revisions can send to harm a server, or each other. */

const key = 'k'.repeat(44)
const cwd = join(import.meta.dirname, '../everything')

let persist: string
let server: WranglerDev
let endpoint: string

beforeAll(async () => {
  persist = await mkdtemp(join(tmpdir(), 'legacy-attacks-'))
  server = await start(key)
  endpoint = `${server.url}/mcp`
}, 90_000)
afterAll(async () => {
  await server.stop()
  await rm(persist, { recursive: true, force: true, maxRetries: 3 })
})

function start(stateKey: string): Promise<WranglerDev> {
  return startWranglerDev({ cwd, persist, vars: () => ({ STATE_KEY: stateKey }) })
}

interface Reply {
  readonly status: number
  readonly session: string | null
  // a reply is whatever came: tests look into it and fail where it is something else
  readonly body: ReturnType<typeof JSON.parse>
}

async function send(request: Request): Promise<Reply> {
  const response = await fetch(request)
  const text = await response.text()
  const body: unknown = /^[[{]/.test(text) ? JSON.parse(text) : text
  return { status: response.status, session: response.headers.get('Mcp-Session-Id'), body }
}

const ask = (method: string, params: object = {}, changes: LegacyChanges = {}): Promise<Reply> =>
  send(toLegacyRequest(endpoint, method, params, { headers: onlyJson, ...changes }))

const onlyJson = { Accept: 'application/json' }

const batch = (messages: readonly string[]): Promise<Reply> =>
  send(toLegacyPost(endpoint, `[${messages.join(',')}]`, { version: '2025-03-26' }))

async function initialize(capabilities: object = {}): Promise<string> {
  const { session } = await send(toInitialize(endpoint, '2025-11-25', capabilities))
  if (session === null) throw new Error('initialize returned no session id.')
  return session
}

/** The files of all Durable Objects that stored anything. */
async function listObjects(): Promise<readonly string[]> {
  const files = await readdir(persist, { recursive: true })
  return files.filter((file) => /\/do\/.*\/(?!metadata)[^/]*\.sqlite$/.test(file)).toSorted()
}

const call = (name: string, input: object, id: string | number = 1): string =>
  toLegacyBody('tools/call', { name, arguments: input }, id)
const notFound = { status: 404, body: { id: 1, error: { code: -32600 } } }

describe('objects', () => {
  it('a client that initializes, lists and calls 100 tools has none', async () => {
    const session = await initialize({ elicitation: {}, sampling: {}, roots: {} })
    expect(await ask('tools/list', {}, { session })).toMatchObject({ status: 200 })
    expect(await listObjects()).toEqual([])
    const results = await flood(100, () =>
      ask('tools/call', { name: 'test_simple_text', arguments: {} }, { session }),
    )
    expect(results.every(({ body }) => Array.isArray(body.result.content))).toBe(true)
    // the isolate announced its deploy to the hub
    const objects = await listObjects()
    expect(objects).toHaveLength(1)
    expect(objects[0]).toContain('Hub')
  })

  it('a flood of `initialize` stores nothing, however much it declares', async () => {
    const before = await listObjects()
    const capabilities = { experimental: { long: 'x'.repeat(6_000) }, elicitation: { form: {} } }
    const sessions = await flood(1_000, () => initialize(capabilities))
    expect(new Set(sessions).size).toBe(1_000)
    expect(sessions.every(({ length }) => length < 700)).toBe(true)
    expect(await listObjects()).toEqual(before)
    expect(await ask('ping', {}, { session: sessions[0] ?? '' })).toMatchObject({ status: 200 })
  }, 60_000)
})

describe('session ids', () => {
  it('a thousand random ones are refused, and the real one is still served', async () => {
    const session = await initialize()
    const length = (session.length * 3) / 4
    const replies = await flood(1_000, () => {
      const bytes = crypto.getRandomValues(new Uint8Array(length))
      return ask('ping', {}, { session: `1.${Buffer.from(bytes).toString('base64url')}` })
    })
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404]))
    expect(await ask('ping', {}, { session })).toMatchObject({ status: 200 })
  }, 60_000)

  it('one that was cut, swapped or joined with another is refused', async () => {
    const [session, other] = [await initialize(), await initialize()]
    const half = Math.floor(session.length / 2)
    const forged = [
      session.slice(0, -1),
      session.slice(1),
      `${session}A`,
      `1.${Array.from(session.slice(2)).toReversed().join('')}`,
      session.slice(0, half) + other.slice(half),
      `${session}, ${other}`,
      `2${session.slice(1)}`,
      session.toUpperCase(),
      `1.${'A'.repeat(8_192)}`,
      'null',
      '0',
    ]
    const replies = await Promise.all(forged.map((id) => ask('ping', {}, { session: id })))
    expect(replies).toEqual(forged.map(() => expect.objectContaining({ status: 404 })))
    expect(replies[0]).toMatchObject(notFound)
  })
})

describe('batches', () => {
  const pings = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => toLegacyBody('ping', {}, index))

  it('of 1,000 messages are refused, and so are batches of batches', async () => {
    expect(await batch(pings(1_000))).toMatchObject({ status: 400 })
    const nested = await batch([`[${pings(50).join(',')}]`, ...pings(1)])
    expect(nested.status).toBe(200)
    expect(nested.body).toMatchObject([{ error: { code: -32600 } }, { id: 0, result: {} }])
    const deep = await batch(['['.repeat(10_000) + ']'.repeat(10_000)])
    expect(deep).toMatchObject({ status: 400, body: { error: { code: -32600 } } })
    const many = await batch([`[${'[],'.repeat(100_000)}[]]`])
    expect(many).toMatchObject({ status: 200, body: [{ error: { code: -32600 } }] })
  })

  it('of 100 large results stop at the size of one result', async () => {
    const bytes = 1_000_000
    const messages = Array.from({ length: 100 }, (_, id) => call('large_text', { bytes }, id))
    const { status, body } = await batch(messages)
    expect(status).toBe(200)
    expect(body).toHaveLength(100)
    const served = body.filter((message: object) => 'result' in message)
    expect(served.length).toBeGreaterThan(0)
    expect(served.length).toBeLessThanOrEqual(10)
    expect(await ask('ping')).toMatchObject({ status: 200 })
  }, 60_000)

  it('of 100 slow calls do not hold up other clients', async () => {
    const slow = batch(Array.from({ length: 100 }, (_, id) => call('sleep', { ms: 200 }, id)))
    expect(await Promise.race([slow, ask('ping')])).toMatchObject({ body: { result: {} } })
    expect((await slow).body).toHaveLength(100)
  })

  it('of `initialize` are refused', async () => {
    const messages = Array.from({ length: 100 }, (_, id) => toLegacyBody('initialize', {}, id))
    expect(await batch(messages)).toMatchObject({ status: 400, session: null })
  })
})

it('both eras on one connection do not touch each other', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports = new Set<number | undefined>()
  const post = async (body: string, headers: Record<string, string>): Promise<Reply['body']> => {
    const sent = request(endpoint, { method: 'POST', agent, headers })
    sent.end(body)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    sent.once('error', reject)
    sent.once('response', (response) => {
      ports.add(response.socket.localPort)
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.once('end', () => resolve(text))
    })
    return JSON.parse(await promise)
  }
  const params = { name: 'test_simple_text', arguments: {} }
  const session = await initialize()
  const modernHeaders = toModernHeaders('tools/call', params, {
    headers: { ...onlyJson, 'Mcp-Session-Id': session },
  })
  const modernBody = toModernBody('tools/call', params)
  const legacyHeaders = (version: '2025-11-25' | '2025-03-26') =>
    Object.fromEntries(toLegacyHeaders({ version, session, headers: onlyJson }))
  const legacyBody = toLegacyBody('tools/call', params)
  try {
    for (let round = 0; round < 20; round++) {
      // oxlint-disable-next-line no-await-in-loop
      const [modern, legacy, batched, refused] = await Promise.all([
        post(modernBody, modernHeaders),
        post(legacyBody, legacyHeaders('2025-11-25')),
        post(`[${legacyBody}]`, legacyHeaders('2025-03-26')),
        post(`[${modernBody}]`, modernHeaders),
      ])
      expect(modern.result).toMatchObject({ resultType: 'complete', _meta: expect.any(Object) })
      expect(Object.keys(legacy.result)).toEqual(['content'])
      expect(batched).toEqual([legacy])
      expect(refused).toMatchObject({ error: { code: -32600 } })
    }
    expect(ports.size).toBe(1)
  } finally {
    agent.destroy()
  }
})

describe('with callers', () => {
  let app: Guarded
  beforeAll(async () => {
    app = await startGuarded()
  }, 90_000)
  afterAll(() => app.stop())

  it('the session of another caller is refused, and lends no scopes', async () => {
    const [ada, bob] = await Promise.all([app.caller('ada', 'admin'), app.caller('bob')])
    const began = await send(toInitialize(app.endpoint, '2025-11-25', {}, { headers: ada.headers }))
    const { session } = began
    const ping = (headers: Readonly<Record<string, string>>): Promise<Reply> =>
      send(toLegacyRequest(app.endpoint, 'ping', {}, { session, headers }))
    expect(await ping(ada.headers)).toMatchObject({ status: 200 })
    expect(await ping(bob.headers)).toMatchObject(notFound)
    expect(await ping({})).toMatchObject({ status: 401 })

    // a token of the same subject is the same caller, whatever its scopes: they count in each request
    const weaker = await app.caller('ada')
    expect(await ping(weaker.headers)).toMatchObject({ status: 200 })
    const namesOf = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
      const list = toLegacyRequest(app.endpoint, 'tools/list', {}, { session, headers })
      const { body } = await send(list)
      return body.result.tools.map(({ name }: { name: string }) => name)
    }
    expect(await namesOf(weaker.headers)).not.toEqual(await namesOf(ada.headers))
  })

  it('the log has nothing besides the requests', async () => {
    expect(await readDevLog(app)).toEqual([])
  })
})

it('the log has nothing besides the requests', async () => {
  expect(await readDevLog(server)).toEqual([])
})

it('a session outlives the rotation of the key, until the old one is removed', async () => {
  const session = await initialize()
  const next = 'n'.repeat(44)
  await server.stop()
  server = await start(`${next},${key}`)
  endpoint = `${server.url}/mcp`
  expect(await ask('ping', {}, { session })).toMatchObject({ status: 200 })
  const renewed = await initialize()
  await server.stop()
  server = await start(next)
  endpoint = `${server.url}/mcp`
  expect(await ask('ping', {}, { session })).toMatchObject(notFound)
  expect(await ask('ping', {}, { session: renewed })).toMatchObject({ status: 200 })
}, 90_000)
