import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { definePrompt, defineTool, type Authenticator, type Tool } from 'helve'
import { custom } from '../../../src/auth/custom.ts'
import { optionalAuth } from '../../../src/auth/optional-auth.ts'
import { toCallerDigest } from '../../../src/auth/request/guard.ts'
import type { JsonSchema } from '../../../src/schema/standard-schema.ts'
import '../../../src/schema/json-schema/register.ts'
import { type Changes, toModernBody } from '../../support/modern-request.ts'
import { createServer } from '../../spec/server.ts'
import { endpoint, ping, send, toEcho, toPost } from './served.ts'

/** A tool in the place of `echo`. */
function toEchoThat(run: (context: object) => string): Tool {
  return defineTool({ description: 'Runs.', input: z.object({ text: z.string() }), run })
}

test('a request reaches its tool and the result comes back under its id', async () => {
  const { status, body } = await send(toPost(toEcho('😀', { id: 'a' })))
  expect(status).toBe(200)
  expect(body).toMatchObject({ id: 'a', result: { structuredContent: { text: '😀' } } })
})

test('a tool is given the env and a signal', async () => {
  const run = vi.fn<(context: object) => string>(() => '')
  await send(toPost(ping), { made: { echo: toEchoThat(run) }, bindings: { REGION: 'eu' } })
  expect(run).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      env: expect.objectContaining({ REGION: 'eu' }),
      signal: expect.any(AbortSignal),
    }),
  )
})

test('a notification is accepted with an empty body and runs nothing', async () => {
  const run = vi.fn<() => string>()
  const notification = '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}'
  const { status, text, headers } = await send(toPost(notification), {
    made: { echo: toEchoThat(run) },
  })
  expect(status).toBe(202)
  expect(text).toBe('')
  expect(headers.get('Content-Type')).toBeNull()
  expect(run).not.toHaveBeenCalled()
})

test.each(['/mcp/', '/mcp?x=1'])('the endpoint is served at %s too', async (path) => {
  const request = new Request(new URL(path, endpoint), toPost(ping))
  expect((await send(request)).status).toBe(200)
})

const every = 'GET, POST, DELETE, OPTIONS'

test.each([
  ['GET', 'POST, OPTIONS'],
  ['PUT', every],
  ['HEAD', every],
  ['PATCH', every],
])('%s is not allowed at the endpoint, and the reply says what is', async (method, allow) => {
  const response = await send(new Request(endpoint, { method }))
  expect(response.status).toBe(405)
  expect(response.headers.get('Allow')).toBe(allow)
})

test.each(['GET', 'DELETE', 'PUT', 'HEAD', 'PATCH'])(
  '%s is not allowed where clients that begin with `initialize` are refused',
  async (method) => {
    const headers = { Accept: 'text/event-stream' }
    const served = { options: { legacy: false } }
    const response = await send(new Request(endpoint, { method, headers }), served)
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('POST, OPTIONS')
  },
)

test.each(['/', '/mpc', '/mcp/x', '/x/mcp', '//mcp'])(
  'nothing is found at %s, and the reply names the endpoint',
  async (path) => {
    const response = await send(new Request(`http://127.0.0.1:8787${path}`, toPost(ping)))
    expect(response.status).toBe(404)
    const message = expect.stringMatching(/The MCP endpoint is \/mcp\.$/)
    expect(response.body).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message, data: { endpoint: '/mcp' } },
    })
  },
)

const bad = '{"jsonrpc":"2.0","id":"x","method":""}'

test.each([
  ['another content type', 415, -32600, toPost(ping, { 'Content-Type': 'text/plain' })],
  ['an Accept of neither type', 406, -32600, toPost(ping, { Accept: 'text/html' })],
  ['2 MiB', 413, -32600, toPost('a'.repeat(2 * 1024 * 1024))],
  ['bytes that are not UTF-8', 400, -32700, toPost(Uint8Array.of(0x22, 0xff, 0x22))],
  ['no JSON', 400, -32700, toPost('hello')],
  ['truncated JSON', 400, -32700, toPost(ping.slice(0, -1))],
  ['nothing', 400, -32700, toPost('')],
  ['a key twice', 400, -32600, toPost(ping.replace('{', '{"id":2,'))],
  ['a batch', 400, -32600, toPost(`[${ping}]`)],
  ['null for an id', 400, -32600, toPost(toEcho('x', { id: Number.NaN }))],
])('%s is answered with %i and %i, without an id', async (_, status, code, request) => {
  const response = await send(request)
  expect(response.status).toBe(status)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(response.body).toMatchObject({ jsonrpc: '2.0', error: { code } })
  expect(response.body.error.message).toEqual(expect.any(String))
  expect(response.body).not.toHaveProperty('id')
})

test('a bad message is refused under its id', async () => {
  const response = await send(toPost(bad))
  expect(response.status).toBe(400)
  expect(response.body).toMatchObject({ id: 'x', error: { code: -32600 } })
})

test('a request without a content type is refused with a sentence', async () => {
  const request = new Request(endpoint, { method: 'POST', body: new TextEncoder().encode(ping) })
  const response = await send(request)
  expect(response.status).toBe(415)
  expect(response.text).toContain('Content-Type is missing.')
})

test('a request without Accept, or with an empty one, gets JSON', async () => {
  const bare = toPost(ping)
  bare.headers.delete('Accept')
  const replies = await Promise.all([send(bare), send(toPost(ping, { Accept: '' }))])
  expect(replies.map(({ status, headers }) => [status, headers.get('Content-Type')])).toEqual([
    [200, 'application/json'],
    [200, 'application/json'],
  ])
})

test('a foreign origin is refused before credentials are looked at', async () => {
  const identify = vi.fn<() => null>(() => null)
  const request = toPost(ping, { Origin: 'https://evil.example.com' })
  const { status } = await send(request, { options: { auth: custom(identify) } })
  expect(status).toBe(403)
  expect(identify).not.toHaveBeenCalled()
})

test('the protected resource metadata is for every page, a listed one too', async () => {
  const auth = {
    allowsAnonymous: false,
    authorizationServers: () => ['https://auth.example'],
    authenticate: async () => ({ kind: 'anonymous' }) as const,
  }
  const metadata = new URL('/.well-known/oauth-protected-resource/mcp', endpoint)
  const origins = ['https://claude.ai', 'https://evil.example.com']
  const replies = await Promise.all(
    origins.map((Origin) => {
      return send(new Request(metadata, { headers: { Origin } }), { options: { auth } })
    }),
  )
  const allowed = replies.map(({ headers }) => headers.get('Access-Control-Allow-Origin'))
  expect(allowed).toEqual(['*', '*'])
  expect(replies[0]?.headers.has('MCP-Protocol-Version')).toBe(false)
})

test('an exception reaches the log in full and the client as an id alone', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const error = new Error('no route to db.internal', { cause: new Error('password hunter2') })
  const greet = definePrompt({
    description: 'Fails.',
    messages() {
      throw error
    },
  })
  const body = toModernBody('prompts/get', { name: 'greet' })
  const headers = { 'Mcp-Method': 'prompts/get', 'Mcp-Name': 'greet' }
  const reply = await send(toPost(body, headers), { made: { greet } })
  const [line, thrown] = log.mock.lastCall ?? []
  log.mockRestore()

  expect(reply.body).toMatchObject({ id: 1, error: { code: -32603 } })
  expect(reply.text).not.toMatch(/db\.internal|hunter2/)
  const logged = JSON.parse(String(line))
  expect(logged).toMatchObject({ level: 'error', what: 'prompts/get greet' })
  expect(thrown).toBeInstanceOf(Error)
  expect(thrown).toMatchObject({ message: error.message, cause: { message: 'password hunter2' } })
  expect(reply.text).toContain(logged.errorId)
})

test.each([
  ['a message', 200, toPost(ping)],
  ['a document', 500, new Request(`${endpoint}/tools`)],
])('a mistake in the set-up that %s meets is logged, and is %i', async (_, status, request) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const options: object = { limit: 'MISSING' }
  const reply = await send(request, { options, bindings: { API_KEY: 'hunter2-Xq8LmZ4v' } })
  const [line, thrown] = log.mock.lastCall ?? []
  log.mockRestore()
  expect(reply.status).toBe(status)
  expect(reply.headers.get('Cache-Control')).toBe('no-store')
  expect(reply.text).not.toContain('MISSING')
  const { errorId } = JSON.parse(String(line))
  expect(reply.body.error.message).toContain(errorId)
  expect(String(thrown)).toContain('MISSING')
})

describe('the limit of all requests', () => {
  test.each([
    ['goes through by default', {}, 200],
    ['is refused where the server says so', { whenUnreachable: 'refuse' }, 429],
  ])('a request that cannot be counted %s', async (_, changes, expected) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const CALLS = { limit: () => Promise.reject(new Error('The limiter is away.')) }
    const unreachable: object = { limit: 'CALLS', ...changes }
    const { status } = await send(toPost(ping), { options: unreachable, bindings: { CALLS } })
    log.mockRestore()
    expect(status).toBe(expected)
  })

  const byName = custom(({ headers }) => {
    const subject = headers.get('X-Name')
    return subject === null ? null : { subject }
  })
  const options: object = { limit: 'CALLS', auth: optionalAuth(byName) }

  /** What each request is counted under. */
  async function countedAs(...requests: Record<string, string>[]): Promise<readonly string[]> {
    const keys: string[] = []
    const CALLS = {
      async limit({ key }: { readonly key: string }) {
        keys.push(key)
        return { success: true }
      },
    }
    for (const headers of requests) {
      // oxlint-disable-next-line no-await-in-loop -- in their order
      const { status } = await send(toPost(ping, headers), { options, bindings: { CALLS } })
      expect(status).toBe(200)
    }
    return keys
  }

  const [here, there] = [
    { 'CF-Connecting-IP': '192.0.2.1' },
    { 'CF-Connecting-IP': '198.51.100.2' },
  ]
  const digestOf = (subject: string) => toCallerDigest({ subject, scopes: [], claims: {} })

  test('counts a caller by its digest, wherever it is', async () => {
    const keys = await countedAs({ ...here, 'X-Name': 'ada' }, { ...there, 'X-Name': 'ada' })
    expect(keys).toEqual([await digestOf('ada'), await digestOf('ada')])
  })

  test('counts callers behind one address by themselves', async () => {
    const keys = await countedAs({ ...here, 'X-Name': 'ada' }, { ...here, 'X-Name': 'bob' })
    expect(keys).toEqual([await digestOf('ada'), await digestOf('bob')])
  })

  test('counts an anonymous caller by its address', async () => {
    expect(await countedAs(here, there)).toEqual(['192.0.2.1', '198.51.100.2'])
  })

  test('refuses a request before its body is read', async () => {
    const CALLS = { limit: async () => ({ success: false }) }
    const request = toPost(ping)
    const { status, headers } = await send(request, { options, bindings: { CALLS } })
    expect(status).toBe(429)
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(request.bodyUsed).toBe(false)
  })
})

describe('a large integer, which JSON.parse would round', () => {
  const big = '9007199254740993'
  const sentence =
    `The number ${big} is too large to be read exactly: it would become 9007199254740992. ` +
    'Send it as text.'
  const runs = vi.fn<() => string>(() => 'ran')
  const described = { description: 'Counts.', run: runs }
  const plain: JsonSchema = { type: 'object', properties: { n: { type: 'integer' } } }
  const made = {
    zod: defineTool({ ...described, input: z.object({ n: z.number() }) }),
    open: defineTool({ ...described, input: z.object({ n: z.unknown() }) }),
    plain: defineTool({ ...described, input: plain }),
    cached: defineTool({
      ...described,
      input: z.object({ n: z.number() }),
      hints: { readOnly: true },
      cache: '1m',
    }),
    greet: definePrompt({ description: 'Greets.', messages: () => 'x' }),
  }

  /** Sends a body in which `$` stands for the large integer. */
  async function sendBig(method: string, params: object, changes: Changes = {}): Promise<unknown> {
    const { name } = Object(params)
    const body = toModernBody(method, params, changes).replace('"$"', big)
    const headers = { 'Mcp-Method': method, 'Mcp-Name': String(name) }
    return (await send(toPost(body, headers), { made })).body
  }

  test.each(['zod', 'open', 'plain', 'cached'])('is refused in the input of %s', async (name) => {
    expect(await sendBig('tools/call', { name, arguments: { n: '$' } }, { id: 'a' })).toMatchObject(
      {
        id: 'a',
        result: { isError: true, content: [{ text: `${name} was not run. ${sentence}` }] },
      },
    )
    expect(runs).not.toHaveBeenCalled()
  })

  test('is refused where a cached result for the rounded one exists', async () => {
    const rounded = toModernBody('tools/call', { name: 'cached', arguments: { n: 2 ** 53 } })
    expect(await send(toPost(rounded, { 'Mcp-Name': 'cached' }), { made })).toMatchObject({
      body: { result: { content: [{ text: 'ran' }] } },
    })
    expect(await sendBig('tools/call', { name: 'cached', arguments: { n: '$' } })).toMatchObject({
      result: { isError: true },
    })
  })

  test('is refused in the parameters of another method', async () => {
    const params = { name: 'greet', arguments: {}, more: [{ n: '$' }] }
    expect(await sendBig('prompts/get', params, { id: 7 })).toMatchObject({
      id: 7,
      error: { code: -32602, message: sentence },
    })
  })

  test('is refused as an id and as a progress token', async () => {
    expect(await sendBig('tools/call', { name: 'zod' }, { id: '$' })).toMatchObject({
      error: { message: expect.stringContaining('`id` must be a string or an integer below 2^53') },
    })
    const meta = { progressToken: '$' }
    expect(await sendBig('tools/call', { name: 'zod' }, { meta })).toMatchObject({
      error: { message: expect.stringContaining('progressToken must be a string or an integer') },
    })
  })
})

describe('a limit of all requests counts refused ones by their address', () => {
  const asked: string[] = []
  const byName = custom(({ headers }) => {
    const name = headers.get('Authorization') ?? ''
    asked.push(name)
    if (name === 'broken') throw new Error('The directory is down.')
    return name === 'ada' ? { subject: 'ada' } : null
  })

  /** Sends requests one after the other to one server, and returns their statuses. */
  async function sendAll(
    auth: Authenticator,
    ...requests: readonly { readonly as: string; readonly from?: string }[]
  ): Promise<readonly number[]> {
    asked.length = 0
    const keys: string[] = []
    const CALLS = {
      async limit({ key }: { readonly key: string }) {
        keys.push(key)
        return { success: keys.filter((one) => one === key).length <= 3 }
      },
    }
    const server = createServer({ auth, audit: false, ...limited }, { echo: toEchoThat(() => '') })
    const statuses: number[] = []
    for (const { as, from = '192.0.2.1' } of requests) {
      const headers = { 'CF-Connecting-IP': from, ...(as !== '' && { Authorization: as }) }
      const [env, ctx] = server.context()
      // oxlint-disable-next-line no-await-in-loop -- in their order
      const { status } = await server.worker.fetch(
        toPost(ping, headers),
        Object.assign(env, { CALLS }),
        ctx,
      )
      statuses.push(status)
    }
    return statuses
  }
  const limited: object = { limit: 'CALLS' }

  test('and asks nobody about an address that is over it', async () => {
    const wrong = Array.from({ length: 6 }, (_, index) => ({ as: `wrong-${index}` }))
    expect(await sendAll(byName, ...wrong)).toEqual([401, 401, 401, 429, 429, 429])
    expect(asked).toHaveLength(4)
  })

  test('without credentials too', async () => {
    const none = Array.from({ length: 5 }, () => ({ as: '' }))
    expect(await sendAll(byName, ...none)).toEqual([401, 401, 401, 429, 429])
  })

  test('also if the credentials cannot be checked', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const broken = Array.from({ length: 5 }, () => ({ as: 'broken' }))
    expect(await sendAll(byName, ...broken)).toEqual([503, 503, 503, 429, 429])
    vi.restoreAllMocks()
  })

  test('and not the callers at other addresses, nor by the address once they are known', async () => {
    const wrong = Array.from({ length: 4 }, () => ({ as: 'wrong' }))
    const statuses = await sendAll(byName, { as: 'ada' }, ...wrong, {
      as: 'ada',
      from: '192.0.2.2',
    })
    expect(statuses).toEqual([200, 401, 401, 401, 429, 200])
  })
})
