import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { definePrompt, defineResource, defineTool, type WorkerOptions } from 'helve'
import { custom } from '../../../src/auth/custom.ts'
import { optionalAuth } from '../../../src/auth/optional-auth.ts'
import { createServer, type Reply } from '../../spec/server.ts'

const host = 'https://mcp.example.com'

const tools = {
  add: defineTool({
    description: 'Adds.',
    input: z.object({ a: z.number() }),
    hints: { readOnly: true },
    run: () => 'added',
  }),
  ping: defineTool({ description: 'Answers.', run: () => 'pong' }),
}
const notes = defineResource({
  uri: 'test://notes',
  mime: 'text/plain',
  read: () => 'notes',
})
const all = {
  ...tools,
  notes,
  greet: definePrompt({ description: 'Greets.', messages: () => 'Hello' }),
}
/** Like `all`, with some entries for callers with a scope only. */
const guarded = {
  ...all,
  pay: defineTool({ description: 'Pays.', scopes: ['shop:write'], run: () => 'paid' }),
  mine: defineTool({
    description: 'Hers.',
    visible: ({ caller }) => caller !== null,
    run: () => '',
  }),
  ledger: defineResource({
    uri: 'test://ledger',
    mime: 'text/plain',
    scopes: ['shop:write'],
    read: () => 'ledger',
  }),
  audit: definePrompt({ description: 'Audits.', scopes: ['shop:write'], messages: () => 'Look' }),
}

const auth = custom(({ headers }) =>
  headers.get('Authorization') === 'Bearer good'
    ? { subject: 'ada', scopes: ['shop:write'] }
    : null,
)
const good = { Authorization: 'Bearer good' }

function createDocuments(
  options: Partial<WorkerOptions> = {},
  made: Parameters<typeof createServer>[1] = all,
) {
  const server = createServer({ audit: false, ...options }, made)
  return {
    ...server,
    get: (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> =>
      server.send(new Request(`${host}${path}`, { method, headers })),
  }
}

test('templates have a document, as they have a list', async () => {
  const page = defineResource({ uri: 'test://pages/{id}', mime: 'text/plain', read: () => '' })
  const { status, body } = await createDocuments({}, { page }).get('/mcp/resources/templates')
  expect(status).toBe(200)
  expect(body).toMatchObject({ resourceTemplates: [{ uriTemplate: 'test://pages/{id}' }] })
})

const paths = ['/mcp/tools', '/mcp/resources', '/mcp/prompts', '/mcp/server'] as const
const lists = ['tools', 'resources', 'prompts'] as const

describe('a document', () => {
  test.each(lists)('of %s is the list that a client is sent', async (name) => {
    const { get, ask } = createDocuments()
    const { status, body, headers } = await get(`/mcp/${name}`)
    const listed = (await ask(`${name}/list`)).body.result
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('application/json')
    expect(body).toEqual({ [name]: listed[name] })
    expect(body[name].length).toBeGreaterThan(0)
  })

  test('of the server is what a client discovers, and who it is', async () => {
    const { get, ask } = createDocuments({ instructions: 'Add first.', title: 'Spec' })
    const { body } = await get('/mcp/server')
    const { _meta, resultType, ttlMs, cacheScope, ...discovered } = (await ask('server/discover'))
      .body.result
    expect(body).toEqual({
      ...discovered,
      serverInfo: { name: 'spec', title: 'Spec', version: '1.2.3' },
    })
    expect([resultType, ttlMs, cacheScope]).toEqual(['complete', 3_600_000, 'public'])
  })

  test.each([
    ['/mcp/tools', 'public, max-age=300', 'tools'],
    ['/mcp/resources', 'public, max-age=300', 'resources'],
    ['/mcp/prompts', 'public, max-age=300', 'prompts'],
    ['/mcp/server', 'public, max-age=3600', 'server'],
  ])('at %s is cacheable for everybody: %s, with the tag %s', async (path, control, tag) => {
    const { headers } = await createDocuments().get(path)
    expect(headers.get('Cache-Control')).toBe(control)
    expect(headers.get('Cache-Tag')).toBe(tag)
    expect(headers.get('ETag')).toMatch(/^"[\w-]{43}"$/)
    expect(headers.get('Vary')).toBe('Origin')
  })

  test.each(paths)(
    'at %s is kept out of Workers Cache, which asks for no credentials',
    async (path) => {
      const { get } = createDocuments()
      const { status, headers } = await get(path)
      expect(status).toBe(200)
      expect(headers.get('Cloudflare-CDN-Cache-Control')).toBe('no-store')
      const unchanged = await get(path, { 'If-None-Match': headers.get('ETag') ?? '' })
      expect(unchanged.status).toBe(304)
      expect(unchanged.headers.get('Cloudflare-CDN-Cache-Control')).toBe('no-store')
    },
  )

  test('is fresh for as long as lists are said to be', async () => {
    const { get } = createDocuments({ cache: { lists: '90s', discover: '2h' } })
    expect((await get('/mcp/tools')).headers.get('Cache-Control')).toBe('public, max-age=90')
    expect((await get('/mcp/server')).headers.get('Cache-Control')).toBe('public, max-age=7200')
  })

  test('that is fresh for less than a second is not cacheable', async () => {
    const { get } = createDocuments({ cache: { lists: '999ms' } })
    expect((await get('/mcp/tools')).headers.get('Cache-Control')).toBe('no-store')
  })

  test('is as old as the list that it was made from', async () => {
    const start = Date.parse('2026-12-01T12:00:00Z')
    vi.useFakeTimers({ now: start, toFake: ['Date'] })
    try {
      const list = vi.fn<() => { resources: [] }>(() => ({ resources: [] }))
      const rows = defineResource({
        uri: 'test://rows/{id}',
        mime: 'text/plain',
        shared: true,
        list,
        read: () => 'row',
      })
      const { get } = createDocuments({}, { rows })
      await get('/mcp/resources')
      vi.setSystemTime(start + 30_000)
      const { headers } = await get('/mcp/resources')
      expect(list).toHaveBeenCalledTimes(1)
      expect(headers.get('Cache-Control')).toBe('public, max-age=300')
      expect(headers.get('Age')).toBe('30')
    } finally {
      vi.useRealTimers()
    }
  })

  test('is a line in the log, like any request for a list', async () => {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    await createDocuments({ audit: {} }).get('/mcp/tools')
    const lines = log.mock.calls.map(([line]) => String(line))
    log.mockRestore()
    expect(lines).toEqual([expect.stringContaining('"method":"GET /mcp/tools"')])
  })

  test('at the root is below the root', async () => {
    const { get } = createDocuments({ endpoint: '/' })
    expect((await get('/tools')).body.tools).toHaveLength(2)
    expect((await get('//tools')).status).toBe(404)
    expect((await get('/mcp/tools')).status).toBe(404)
  })

  test.each(['/mcp/prompt', '/mcp/Tools', '/mcp/tools/', '/mcp/tools/add', '/tools'])(
    'is not at %s',
    async (path) => {
      expect((await createDocuments().get(path)).status).toBe(404)
    },
  )

  test('of an empty list is not there', async () => {
    const { get } = createDocuments({}, tools)
    expect((await get('/mcp/tools')).status).toBe(200)
    expect((await get('/mcp/resources')).status).toBe(404)
    expect((await get('/mcp/prompts')).status).toBe(404)
    expect((await get('/mcp/server')).status).toBe(200)
  })

  test.each(paths)('is not at %s where documents are off', async (path) => {
    const { status, headers } = await createDocuments({ documents: false }).get(path)
    expect(status).toBe(404)
    expect(headers.get('Cache-Control')).toBe('no-store')
  })
})

describe('an ETag', () => {
  test.each(lists)('of %s outlives a deploy that changes nothing of them', async (name) => {
    const etagOf = async (version: string) =>
      (await createDocuments({ version }).get(`/mcp/${name}`)).headers.get('ETag')
    expect(await etagOf('1.0.0')).toBe(await etagOf('2.0.0'))
  })

  test('of the server changes with its version', async () => {
    const etagOf = async (version: string) =>
      (await createDocuments({ version }).get('/mcp/server')).headers.get('ETag')
    expect(await etagOf('1.0.0')).not.toBe(await etagOf('2.0.0'))
  })

  test('changes with what is listed', async () => {
    const first = await createDocuments().get('/mcp/tools')
    const more = { ...all, sub: defineTool({ description: 'Subtracts.', run: () => '' }) }
    const second = await createDocuments({}, more).get('/mcp/tools')
    expect(first.headers.get('ETag')).not.toBe(second.headers.get('ETag'))
  })

  test('differs from document to document', async () => {
    const { get } = createDocuments()
    const etags = await Promise.all(
      paths.map(async (path) => (await get(path)).headers.get('ETag')),
    )
    expect(new Set(etags).size).toBe(4)
  })

  const other = '"0000000000000000000000000000000000000000000"'
  const same: [string, (etag: string) => string][] = [
    ['exactly', (etag) => etag],
    ['weakened by a CDN', (etag) => `W/${etag}`],
    ['in a list', (etag) => `${other}, ${etag}`],
    ['in a list without spaces, weakened', (etag) => `W/${other},W/${etag},"x"`],
    ['as anything at all', () => '*'],
  ]

  test.each(same)(
    'that a client sends back, %s, is 304 without the document',
    async (_, toHeader) => {
      const { get } = createDocuments()
      const { headers } = await get('/mcp/tools')
      const etag = headers.get('ETag') ?? ''
      const again = await get('/mcp/tools', { 'If-None-Match': toHeader(etag) })
      expect(again.status).toBe(304)
      expect(again.text).toBe('')
      // RFC 9110, 15.4.5: what a 200 would have said
      for (const name of ['ETag', 'Cache-Control', 'Vary']) {
        expect(again.headers.get(name)).toBe(headers.get(name))
      }
    },
  )

  const differing: [string, (etag: string) => string][] = [
    ['another one', () => other],
    ['a part of it', (etag) => etag.slice(0, -2)],
    ['it without quotes', (etag) => etag.slice(1, -1)],
    ['nothing', () => ''],
    ['a list of others', () => `${other}, W/${other}`],
    ['it with a small w', (etag) => `w/${etag}`],
  ]

  test.each(differing)('is sent with the document to a client that has %s', async (_, toHeader) => {
    const { get } = createDocuments()
    const etag = (await get('/mcp/tools')).headers.get('ETag') ?? ''
    const again = await get('/mcp/tools', { 'If-None-Match': toHeader(etag) })
    expect(again.status).toBe(200)
    expect(again.body.tools).toHaveLength(2)
  })
})

describe('a method', () => {
  test.each(paths)('HEAD at %s is a GET without its body', async (path) => {
    const { get } = createDocuments()
    const [head, whole] = [await get(path, {}, 'HEAD'), await get(path)]
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    expect(Object.fromEntries(head.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': whole.headers.get('Cache-Control'),
      etag: whole.headers.get('ETag'),
    })
  })

  test('HEAD of what a client has is 304 too', async () => {
    const { get } = createDocuments()
    const etag = (await get('/mcp/tools')).headers.get('ETag') ?? ''
    expect((await get('/mcp/tools', { 'If-None-Match': etag }, 'HEAD')).status).toBe(304)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is not for documents', async (method) => {
    const { status, headers } = await createDocuments().get('/mcp/tools', {}, method)
    expect(status).toBe(405)
    expect(headers.get('Allow')).toBe('GET, HEAD, OPTIONS')
    expect(headers.get('Cache-Control')).toBe('no-store')
  })

  test('OPTIONS says which are', async () => {
    const { headers } = await createDocuments().get('/mcp/tools', {}, 'OPTIONS')
    expect(headers.get('Allow')).toBe('GET, HEAD, OPTIONS')
  })
})

describe('a page', () => {
  test('says where the next one is, until there is none', async () => {
    const { get } = createDocuments({ page: 1 })
    const first = await get('/mcp/tools')
    expect(first.body.tools).toMatchObject([{ name: 'add' }])
    const cursor = encodeURIComponent(first.body.nextCursor)
    const second = await get(`/mcp/tools?cursor=${cursor}`)
    expect(second.body).toMatchObject({ tools: [{ name: 'ping' }] })
    expect(second.body).not.toHaveProperty('nextCursor')
    expect(second.headers.get('ETag')).not.toBe(first.headers.get('ETag'))
    expect(second.headers.get('Cache-Control')).toBe('public, max-age=300')
  })

  test.each(['nonsense', ''])(
    'that no list has, "%s", is 400 and not cacheable',
    async (cursor) => {
      const { status, body, headers } = await createDocuments().get(`/mcp/tools?cursor=${cursor}`)
      expect(status).toBe(400)
      expect(body.error.message).toContain('The cursor is not from this list.')
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(headers.has('ETag')).toBe(false)
    },
  )

  test('has nothing but the cursor in its address that counts', async () => {
    const { get } = createDocuments()
    expect((await get('/mcp/tools?utm=1')).text).toBe((await get('/mcp/tools')).text)
  })
})

describe('a list that cannot be computed', () => {
  test('is 500, not cacheable, and does not say why, which the log has under an id', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const rows = defineResource({
      uri: 'test://rows/{id}',
      mime: 'text/plain',
      shared: true,
      list: () => Promise.reject(new Error('password=hunter2')),
      read: () => 'row',
    })
    const { get } = createDocuments({}, { rows })
    const { status, text, headers } = await get('/mcp/resources')
    const [line, thrown] = log.mock.lastCall ?? []
    log.mockRestore()
    expect(status).toBe(500)
    expect(text).not.toContain('hunter2')
    expect(text).toContain(JSON.parse(String(line)).errorId)
    expect(thrown).toMatchObject({ message: 'password=hunter2' })
    expect(headers.get('Cache-Control')).toBe('no-store')
  })
})

test('a list that lacks entries because of an error is not cacheable', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const shared = { mime: 'text/plain', shared: true, read: () => 'row' } as const
  const rows = defineResource({
    ...shared,
    uri: 'test://rows/{id}',
    list: () => Promise.reject(new Error('down')),
  })
  const { get } = createDocuments({}, { rows, notes })
  const { status, text, headers } = await get('/mcp/resources')
  expect(status).toBe(200)
  expect(JSON.parse(text).resources).toHaveLength(1)
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(log).toHaveBeenCalledOnce()
  log.mockRestore()
})

describe('a server that requires credentials', () => {
  const { get } = createDocuments({ auth }, guarded)

  test.each(paths)('shows nothing at %s without good credentials', async (path) => {
    const { status, text, headers } = await get(path)
    expect(status).toBe(401)
    expect(text).not.toContain('Adds.')
    expect(headers.get('WWW-Authenticate')).toContain('Bearer')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect((await get(path, { Authorization: 'Bearer bad' })).status).toBe(401)
    expect((await get(path, { 'If-None-Match': '*' })).status).toBe(401)
    expect((await get(path, {}, 'HEAD')).status).toBe(401)
  })

  test.each(paths)(
    'shows at %s what an anonymous caller may see, cacheable for this caller alone',
    async (path) => {
      const { status, text, headers } = await get(path, good)
      expect(status).toBe(200)
      expect(headers.get('Cache-Control')).toMatch(/^private, max-age=\d+$/)
      expect(text).not.toMatch(/pay|mine|ledger|audit/)
    },
  )
})

describe('a server with optional authentication', () => {
  const { get } = createDocuments({ auth: optionalAuth(auth) }, guarded)

  test.each([
    ['/mcp/tools', ['add', 'ping']],
    ['/mcp/resources', ['notes']],
    ['/mcp/prompts', ['greet']],
  ])('shows at %s the same to all, and no more with a token', async (path, names) => {
    const [anonymous, known] = [await get(path), await get(path, good)]
    const [, key = ''] = path.split('/mcp/')
    const listed: readonly { name: string }[] = anonymous.body[key]
    expect(listed.map(({ name }) => name)).toEqual(names)
    expect(known.text).toBe(anonymous.text)
    expect(known.headers.get('ETag')).toBe(anonymous.headers.get('ETag'))
    expect(anonymous.headers.get('Cache-Control')).toBe('public, max-age=300')
    expect(known.headers.get('Cache-Control')).toBe('public, max-age=300')
  })

  test('refuses a bad token even so', async () => {
    expect((await get('/mcp/tools', { Authorization: 'Bearer bad' })).status).toBe(401)
  })
})

describe('a web page', () => {
  const { get } = createDocuments({ origins: ['https://claude.ai'] })

  test('that may call may read the document and its tag', async () => {
    const { status, headers } = await get('/mcp/tools', { Origin: 'https://claude.ai' })
    expect(status).toBe(200)
    expect(headers.get('Access-Control-Allow-Origin')).toBe('https://claude.ai')
    expect(headers.get('Access-Control-Expose-Headers')).toContain('ETag')
    expect(headers.get('Vary')).toBe('Origin')
  })

  test('that may not call is refused, and cannot read the reply', async () => {
    const { status, text, headers } = await get('/mcp/tools', { Origin: 'https://evil.example' })
    expect(status).toBe(403)
    expect(text).not.toContain('Adds.')
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(headers.get('Cache-Control')).toBe('no-store')
  })
})
