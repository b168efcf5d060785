import { defineResource, defineTool } from 'helve'
import { custom } from 'helve/auth/custom'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createServer, type Reply } from './server.ts'

const names = ['add', 'fail', 'hello', 'ping', 'query']

// https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
describe('pagination', () => {
  const { ask } = createServer({ page: 2 })
  const namesOf = ({ body }: Reply): string[] =>
    body.result.tools.map(({ name }: { name: string }) => name)

  test('returns every tool once, in order, and no cursor on the last page', async () => {
    const first = await ask('tools/list')
    const second = await ask('tools/list', { cursor: first.body.result.nextCursor })
    const third = await ask('tools/list', { cursor: second.body.result.nextCursor })
    expect([first, second, third].map(namesOf)).toEqual([
      names.slice(0, 2),
      names.slice(2, 4),
      names.slice(4),
    ])
    expect(third.body.result).not.toHaveProperty('nextCursor')
  })

  test('is off by default', async () => {
    const { body } = await createServer().ask('tools/list')
    expect(body.result.tools).toHaveLength(names.length)
    expect(body.result).not.toHaveProperty('nextCursor')
  })

  test.each(['', 'nope', 'eyJwYWdlIjogMn0=', 5, null, {}])(
    'an invalid cursor SHOULD get -32602: %j',
    async (cursor) => {
      expect((await ask('tools/list', { cursor })).body.error.code).toBe(-32602)
    },
  )

  test.each([0, -1, 1.5, Number.NaN])('createWorker throws for the page size %d', (page) => {
    expect(() => createServer({ page })).toThrow(/`page` is/)
  })
})

// https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
describe('caching', () => {
  test.each(['server/discover', 'tools/list'])(
    '%s MUST have ttlMs and cacheScope, and the same in HTTP headers',
    async (method) => {
      const { ask } = createServer({ cache: { lists: '90s', discover: '2m' } })
      const { body, headers } = await ask(method)
      const seconds = method === 'tools/list' ? 90 : 120
      expect(body.result).toMatchObject({ ttlMs: seconds * 1000, cacheScope: 'public' })
      expect(headers.get('Cache-Control')).toBe(`public, max-age=${seconds}`)
    },
  )

  test('a ttlMs of 0 is sent as no-store', async () => {
    const { body, headers } = await createServer({ cache: { lists: '0s' } }).ask('tools/list')
    expect(body.result.ttlMs).toBe(0)
    expect(headers.get('Cache-Control')).toBe('no-store')
  })

  test('all pages of a list MUST have the same cacheScope', async () => {
    const { ask } = createServer({ page: 2 })
    const first = await ask('tools/list')
    const second = await ask('tools/list', { cursor: first.body.result.nextCursor })
    expect(second.body.result.cacheScope).toBe(first.body.result.cacheScope)
  })

  test.each<[string, object]>([
    ['tools/call', { name: 'ping' }],
    ['tools/list', { cursor: 'bad' }],
    ['no/such', {}],
  ])('a result that is not cacheable is sent as no-store: %s %j', async (method, params) => {
    const { headers, body } = await createServer().ask(method, params)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(body.result ?? {}).not.toHaveProperty('ttlMs')
  })

  test.each(['workers', 'colo'] as const)(
    'a list that lacks resources because of an error is not cached: %s',
    async (store) => {
      const log = vi.spyOn(console, 'error').mockReturnValue()
      onTestFinished(() => log.mockRestore())
      let isDown = true
      const rows = defineResource({
        uri: 'test://rows/{id}',
        mime: 'text/plain',
        shared: true,
        list() {
          if (isDown) throw new Error('down')
          return { resources: [{ uri: 'test://rows/1', name: 'one' }] }
        },
        read: () => 'row',
      })
      const notes = defineResource({ uri: 'test://notes', mime: 'text/plain', read: () => '' })
      const { ask } = createServer({ cache: { store } }, { rows, notes })
      const without = await ask('resources/list')
      expect(without.body.result.resources).toHaveLength(1)
      expect(without.body.result).toMatchObject({ ttlMs: 0, cacheScope: 'public' })
      expect(without.headers.get('Cache-Control')).toBe('no-store')
      isDown = false
      const whole = await ask('resources/list')
      expect(whole.body.result.resources).toHaveLength(2)
      expect(whole.body.result.ttlMs).toBe(300_000)
      isDown = true
      expect((await ask('resources/list')).body.result.resources).toHaveLength(2)
      expect(log).toHaveBeenCalledOnce()
    },
  )

  test('a static list does not use the cache', async () => {
    const { ask, edge } = createServer()
    await ask('tools/list')
    await ask('server/discover')
    expect(edge.log).toEqual([])
  })

  test('a cached result has the remaining ttlMs, which MUST be 0 or more', async () => {
    const pages = defineResource({
      uri: 'spec://pages/{id}',
      mime: 'text/plain',
      shared: true,
      cache: '5s',
      stale: '1h',
      read: ({ params }) => `page ${params.id}`,
    })
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { ask, edge } = createServer({}, { pages })
    const params = { uri: 'spec://pages/1', name: 'spec://pages/1' }
    const read = async (later: number): Promise<number> => {
      vi.setSystemTime(Date.now() + later)
      return (await ask('resources/read', params)).body.result.ttlMs
    }
    expect([await read(0), await read(2_000), await read(2_000)]).toEqual([5_000, 3_000, 1_000])
    expect(await read(60_000)).toBe(0)
    await edge.settled()
    expect(edge.log.map(({ status }) => status)).toEqual(['MISS', 'HIT', 'HIT', 'UPDATING'])
  })

  test('a cached result MUST NOT be served for other parameters', async () => {
    const page = defineResource({
      uri: 'spec://pages/{id}',
      mime: 'text/plain',
      shared: true,
      cache: '5m',
      read: ({ params }) => `page ${params.id}`,
    })
    const { ask } = createServer({}, { page })
    const read = async (uri: string): Promise<string> =>
      (await ask('resources/read', { uri, name: uri })).body.result.contents[0].text
    const uris = ['spec://pages/1', 'spec://pages/2', 'spec://pages/1']
    expect(await Promise.all(uris.map(read))).toEqual(['page 1', 'page 2', 'page 1'])
  })

  test('access control MUST NOT rely on cacheScope: a cached result is refused to a caller without access', async () => {
    const auth = custom(({ headers }) => ({
      subject: headers.get('X-Name') ?? '',
      scopes: headers.has('X-Paid') ? ['paid'] : [],
    }))
    const report = defineTool({
      description: 'Reports.',
      scopes: ['paid'],
      hints: { readOnly: true },
      cache: '5m',
      shared: true,
      run: () => 'the report',
    })
    const { ask, edge } = createServer({ auth }, { report })
    const call = (headers: Record<string, string>) =>
      ask('tools/call', { name: 'report' }, { headers })
    const ada = await call({ 'X-Name': 'ada', 'X-Paid': '1' })
    const bob = await call({ 'X-Name': 'bob', 'X-Paid': '1' })
    expect(bob.body.result).toEqual(ada.body.result)
    expect(edge.log.map(({ status }) => status)).toEqual(['MISS', 'HIT'])
    expect((await call({ 'X-Name': 'eve' })).status).toBe(403)
  })
})
