import { createExecutionContext } from 'cloudflare:test'
import { WorkerEntrypoint, env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { defineResource } from 'helve'
import { createAnotherWorker } from '../../../src/server.ts'
import { custom } from '../../../src/auth/custom.ts'
import { createListingsClass } from '../../../src/cache/listings-entrypoint.ts'
import { findListings } from '../../../src/cache/workers-store.ts'
import { PurgeTimes } from '../../../src/cache/purge.ts'
import { toRegistry } from '../../spec/registry.ts'
import { url } from '../../spec/server.ts'
import { toModernRequest } from '../../support/modern-request.ts'
import { createWorkersCache } from '../../../src/testing/workers-cache/workers-cache.ts'
import { makeThings, serve } from './crossing-stage.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const eve = { caller: { subject: 'eve', scopes: [], claims: {} } }

// other Workers of the account can call the entrypoint, too. Each URL is fetched twice: the second
// request would find what the first one left
test.each<[unknown, string]>([
  [{}, '/'],
  [{}, '/tools/list'],
  [{}, '/tools/call'],
  [{}, '/tools/call?name=ours'],
  [{}, '/tools/call?name=ours&arguments='],
  [{}, '/tools/call?name=ours&arguments=[]'],
  [{}, '/tools/call?name=ours&arguments=null'],
  [{}, '/tools/call?name=none&arguments={}'],
  [{}, '/tools/call?name=none&arguments=%7B%7D'],
  [{}, '/tools/call?name=__proto__&arguments={}'],
  [{}, '/tools/call?name=__proto__&arguments=%7B%7D'],
  [{}, '//tools/call?name=ours&arguments={}'],
  [{}, '/tools/call/?name=ours&arguments={}'],
  [{}, '/TOOLS/CALL?name=ours&arguments={}'],
  [{}, '/resources/read'],
  [{}, '/resources/read?uri=it://none'],
  [{}, '/resources/read?uri=it://rows/1'],
  [{}, '/resources/read?URI=it://shared'],
  // a URL that the server would not have written
  [{}, '/resources/read?uri=it%3A%2F%2Fshared&junk=1'],
  [{}, '/resources/read?junk=2&uri=it%3A%2F%2Fshared'],
  [{}, '/resources/read?uri=it%3A%2F%2Fshared&uri=x'],
  // props that are not a partition
  [null, '/resources/read?uri=it://private'],
  [{ caller: 'ada' }, '/resources/read?uri=it://private'],
  [{ caller: { subject: 'ada' } }, '/resources/read?uri=it://private'],
  [{ caller: [] }, '/resources/read?uri=it://private'],
  [{ visible: 'it://concealed' }, '/resources/list'],
  [{ visible: [1] }, '/resources/list'],
  // partitions without what the entry requires
  [{}, '/tools/call?name=scoped&arguments=%7B%7D'],
  [eve, '/tools/call?name=scoped&arguments=%7B%7D'],
  [{}, '/tools/call?name=concealed&arguments=%7B%7D'],
  [{}, '/tools/call?name=mine&arguments=%7B%7D'],
])('with the props %j, %s is a 404 that is not stored', async (props, path) => {
  const server = serve('workers')
  const { Listings } = Object(server.context()[1].exports)
  const ask = (): Promise<Response> => Listings({ props }).fetch(`https://listings.invalid${path}`)
  for (const response of [await ask(), await ask()]) {
    expect([response.status, response.headers.get('Cf-Cache-Status')]).toEqual([404, 'BYPASS'])
    // oxlint-disable-next-line no-await-in-loop
    expect(await response.text()).toBe('')
  }
})

test('a key of the server is stored, and the same path on another host is a 404', async () => {
  const server = serve('workers')
  const listings = findListings(server.context()[1].exports)
  const path = '/tools/call?name=ours&arguments=%7B%7D'
  const ask = async (host: string) => (await listings?.fetch(`https://${host}${path}`))?.status
  // first the other host: Workers Cache has no host in its keys
  expect(await ask('any.host')).toBe(404)
  expect([await ask('listings.invalid'), await ask('listings.invalid')]).toEqual([200, 200])
  expect(server.edge.log.map(({ status }) => status)).toEqual(['BYPASS', 'MISS', 'HIT'])
})

test('a result that was being made in the millisecond of a purge is not stored', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const purges = new PurgeTimes()
  let made = 0
  const compute = async () => {
    made += 1
    if (made === 1) purges.add(['uri:a'])
    else vi.setSystemTime(Date.now() + 1)
    return {
      outcome: { kind: 'result', members: `"made":${made}` } as const,
      lifetime: { ttlMs: 60_000, staleMs: 0, tags: ['uri:a'] },
    }
  }
  const edge = createWorkersCache()
  const exports = edge.inFrontOf({ Listings: createListingsClass(compute, purges) }, { ...env })
  const ask = async () => (await findListings(exports)?.fetch('https://listings.invalid/a'))?.text()
  expect(await ask()).toBe('{"made":1}')
  vi.setSystemTime(Date.now() + 1)
  expect([await ask(), await ask()]).toEqual(['{"made":2}', '{"made":2}'])
})

describe('an entrypoint', () => {
  const withExports = (exports: object) => Object.assign(createExecutionContext(), { exports })

  test('that is not exported: every result is computed, and the log says so once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const server = serve('workers')
    const ask = async (): Promise<number> => {
      const request = toModernRequest(url, 'tools/call', { name: 'ours' })
      return (await server.worker.fetch(request, env, withExports({}))).status
    }
    expect([await ask(), await ask()]).toEqual([200, 200])
    const lines = warn.mock.calls.map(([line]) => String(line))
    expect(lines.filter((line) => line.includes('Listings'))).toHaveLength(1)
  })

  test('that fails: the result is computed, and no arguments get into the log', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const ctx = withExports({
      Listings: () => ({ fetch: async () => new Response('<h1>error 1102</h1>', { status: 503 }) }),
    })
    const params = { name: 'ours', arguments: { card: 'my-card-4111' } }
    const request = toModernRequest(url, 'tools/call', params)
    const response = await serve('workers').worker.fetch(request, env, ctx)
    expect(response.status).toBe(200)
    expect(log).toHaveBeenCalled()
    expect(JSON.stringify(log.mock.calls)).not.toContain('4111')
  })

  test('that never answers: a read ends at its time limit', async () => {
    vi.useFakeTimers()
    const server = serve('workers', {
      page: defineResource({
        uri: 'it://page',
        mime: 'text/plain',
        cache: '5m',
        shared: true,
        read: () => 'here',
      }),
    })
    const ctx = withExports({ Listings: () => ({ fetch: () => new Promise(() => {}) }) })
    let hasEnded = false
    const params = { uri: 'it://page', name: 'it://page' }
    const request = toModernRequest(url, 'resources/read', params, {
      headers: { Accept: 'application/json' },
    })
    void server.worker.fetch(request, env, ctx).then(() => (hasEnded = true))
    await vi.advanceTimersByTimeAsync(120_000)
    expect(hasEnded).toBe(true)
  })
})

test('[cache] without [exports.default]: hosts do not share metadata, and a document still requires good credentials', async () => {
  const auth = {
    ...custom(({ headers }) =>
      headers.get('Authorization') === 'Bearer good' ? { subject: 'ada' } : null,
    ),
    allowsAnonymous: true,
    authorizationServers: () => ['https://issuer.example'],
  }
  const worker = createAnotherWorker({
    name: 'a',
    version: '1',
    registry: toRegistry(makeThings()),
    auth,
    audit: false,
  })
  const bindings = { ...env }
  class Default extends WorkerEntrypoint {
    override fetch(request: Request): Promise<Response> {
      return worker.fetch(request, bindings, createExecutionContext())
    }
  }
  const { Default: front } = createWorkersCache().inFrontOf({ Default }, env)
  const metadata = '.well-known/oauth-protected-resource/mcp'
  await front.fetch(`https://evil.workers.dev/${metadata}`)
  const own = await front.fetch(`https://mcp.example.com/${metadata}`)
  expect.soft(await own.text()).toContain('https://mcp.example.com/mcp')
  await front.fetch('https://mcp.example.com/mcp/tools')
  const refused = await front.fetch('https://mcp.example.com/mcp/tools', {
    headers: { Authorization: 'Bearer bad' },
  })
  expect.soft(refused.status).toBe(401)
})
