import { describe, expect, test } from 'vitest'
import { createServer, type Reply } from './server.ts'

const names = ['add', 'fail', 'hello', 'ping', 'query']

// https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
describe('pagination', () => {
  const { ask } = createServer({ page: 2 })
  const namesOf = ({ body }: Reply): string[] =>
    body.result.tools.map(({ name }: { name: string }) => name)

  test('gives every tool once, in order, and no cursor on the last page', async () => {
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

  test('is off unless it is asked for', async () => {
    const { body } = await createServer().ask('tools/list')
    expect(body.result.tools).toHaveLength(names.length)
    expect(body.result).not.toHaveProperty('nextCursor')
  })

  test.each(['', 'nope', 'eyJwYWdlIjogMn0=', 5, null, {}])(
    'a cursor that is not ours SHOULD be -32602: %j',
    async (cursor) => {
      expect((await ask('tools/list', { cursor })).body.error.code).toBe(-32602)
    },
  )

  test.each([0, -1, 1.5, Number.NaN])('a page size of %d is a mistake of the author', (page) => {
    expect(() => createServer({ page })).toThrow(/page is/)
  })
})

// https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
describe('caching', () => {
  test.each(['server/discover', 'tools/list'])(
    '%s MUST carry ttlMs and cacheScope, and HTTP says the same',
    async (method) => {
      const { ask } = createServer({ fresh: { lists: '90s', discover: '2m' } })
      const { body, headers } = await ask(method)
      const seconds = method === 'tools/list' ? 90 : 120
      expect(body.result).toMatchObject({ ttlMs: seconds * 1000, cacheScope: 'public' })
      expect(headers.get('Cache-Control')).toBe(`public, max-age=${seconds}`)
    },
  )

  test('a ttl of nothing is not stored anywhere', async () => {
    const { body, headers } = await createServer({ fresh: { lists: '0s' } }).ask('tools/list')
    expect(body.result.ttlMs).toBe(0)
    expect(headers.get('Cache-Control')).toBe('no-store')
  })

  test('all pages of a list MUST have one scope', async () => {
    const { ask } = createServer({ page: 2 })
    const first = await ask('tools/list')
    const second = await ask('tools/list', { cursor: first.body.result.nextCursor })
    expect(second.body.result.cacheScope).toBe(first.body.result.cacheScope)
  })

  test.each<[string, object]>([
    ['tools/call', { name: 'ping' }],
    ['tools/list', { cursor: 'bad' }],
    ['no/such', {}],
  ])('what is not cacheable is not stored: %s %j', async (method, params) => {
    const { headers, body } = await createServer().ask(method, params)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(body.result ?? {}).not.toHaveProperty('ttlMs')
  })
})
