import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { everythingHosts, type Everything } from '../support/everything.ts'
import { startGuarded, type Guarded } from '../support/guarded.ts'
import { toModernRequest } from '../support/modern-request.ts'

interface Told {
  readonly status: number
  readonly headers: Headers
  // a reply is whatever came: tests look into it and fail where it is something else
  readonly body: ReturnType<typeof JSON.parse>
}

async function ask(endpoint: string, method: string, params: object = {}): Promise<Told> {
  const name = Object.entries(params).find(([key]) => key === 'name' || key === 'uri')?.[1]
  const headers = { 'Mcp-Name': typeof name === 'string' ? name : null }
  return read(await fetch(toModernRequest(endpoint, method, params, { headers })))
}

async function read(response: Response): Promise<Told> {
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  return { status: response.status, headers: response.headers, body }
}

const statusOf = ({ headers }: Told): string | null => headers.get('Cache-Status')

describe('the shop under `wrangler dev`, which has no Workers Cache', () => {
  const endpoint = inject('endpoint')

  it('makes a cacheable result for each request, in the entrypoint `Listings`', async () => {
    const params = { uri: 'shop://catalog' }
    for (const told of [
      await ask(endpoint, 'resources/read', params),
      await ask(endpoint, 'resources/read', params),
    ]) {
      expect(told.body.result).toMatchObject({ ttlMs: 3_600_000, cacheScope: 'public' })
      expect(told.headers.get('Cache-Control')).toBe('public, max-age=3600')
      expect(statusOf(told)).toBe('helve; fwd=miss')
    }
  })

  it.each(['tools', 'resources', 'prompts', 'server'])('serves its %s by GET', async (name) => {
    const url = `${endpoint}/${name}`
    const first = await read(await fetch(url))
    expect(first.status).toBe(200)
    expect(first.headers.get('Cache-Control')).toMatch(/^public, max-age=\d+$/)
    const etag = first.headers.get('ETag') ?? ''
    const second = await read(await fetch(url, { headers: { 'If-None-Match': etag } }))
    expect(second).toMatchObject({ status: 304, body: null })
    expect(second.headers.get('ETag')).toBe(etag)
  })
})

describe("the fixture with cache.store 'colo'", () => {
  let server: Everything
  const stamp = (input: object): Promise<Told> =>
    ask(server.endpoint, 'tools/call', { name: 'kept_stamp', arguments: input })
  const runOf = ({ body }: Told): unknown => body.result.structuredContent.run

  beforeAll(async () => {
    const [host] = everythingHosts
    if (host === undefined) throw new Error('there is no host')
    server = await host[1]()
  }, 90_000)
  afterAll(() => server.stop())

  it('runs once for two hundred concurrent clients', async () => {
    const clients = Array.from({ length: 200 }, () => ask(server.endpoint, 'resources/list'))
    const all = await Promise.all(clients)
    const rows = all.map(({ body }) => body.result.resources.at(-1))
    expect(new Set(rows.map(({ uri }) => uri))).toEqual(new Set(['slow://rows/1']))
    expect(runOf(await stamp({}))).toBe(1)
  })

  it('sends the remaining lifetime, the same in the body and in the headers', async () => {
    await wait(1_100)
    const { headers, body } = await ask(server.endpoint, 'resources/list')
    const age = Number(headers.get('Age'))
    expect(age).toBeGreaterThan(0)
    expect(headers.get('Cache-Control')).toBe('public, max-age=300')
    expect(body.result).toMatchObject({ ttlMs: 300_000 - age * 1000, cacheScope: 'public' })
    expect(headers.get('Cache-Status')).toBe(`helve; hit; ttl=${300 - age}`)
  })

  it('caches a result by its arguments, in any order', async () => {
    const first = await stamp({ topic: 'order', level: 1 })
    expect(statusOf(first)).toBe('helve; fwd=miss')
    const again = await stamp({ level: 1, topic: 'order' })
    expect(statusOf(again)).toMatch(/^helve; hit; ttl=-?[012]$/)
    expect(runOf(again)).toBe(runOf(first))
    expect(again.headers.get('Cache-Control')).toBe('no-store')
    expect(runOf(await stamp({ topic: 'order', level: 2 }))).not.toBe(runOf(first))
  })

  it('does not cache errors', async () => {
    const wrong = { topic: 7 }
    expect((await stamp(wrong)).body.result.isError).toBe(true)
    expect(statusOf(await stamp(wrong))).toBe('helve; fwd=miss')
  })

  it('sends the stale result while a new one is made, and then the new one', async () => {
    const first = await stamp({ topic: 'stale' })
    await wait(2_100)
    const stale = await stamp({ topic: 'stale' })
    expect(runOf(stale)).toBe(runOf(first))
    expect(statusOf(stale)).toMatch(/^helve; hit; ttl=-?[01]$/)
    await expect.poll(async () => runOf(await stamp({ topic: 'stale' }))).not.toBe(runOf(first))
  })
})

describe('a Worker whose cache cannot be reached', () => {
  let server: Everything

  beforeAll(async () => {
    const [, host] = everythingHosts
    if (host === undefined) throw new Error('there is no host')
    server = await host[1]()
  }, 90_000)
  afterAll(() => server.stop())

  it('still answers', async () => {
    const params = { name: 'kept_stamp', arguments: {} }
    const told = await ask(server.endpoint, 'tools/call', params)
    expect(told.body.result.structuredContent).toMatchObject({ topic: 'any' })
    expect(statusOf(told)).toBeNull()
  })
})

describe('callers of a cached tool, through the real entrypoint', () => {
  let server: Guarded

  beforeAll(async () => {
    server = await startGuarded()
  }, 90_000)
  afterAll(() => server.stop())

  it('each receive their own result', async () => {
    const [ada, bob] = [await server.caller('ada', 'a'), await server.caller('bob', 'b')]
    const told = await Promise.all([ada, bob, ada, bob].map((caller) => caller.call('who_am_i')))
    const subjects = told.map(({ body }) => body.result.structuredContent.subject)
    expect(subjects).toEqual(['ada', 'bob', 'ada', 'bob'])
  })
})
