import { WorkerEntrypoint, env as imported, exports as loopbacks } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import {
  createWorkersCache,
  type WorkersCacheOptions,
} from '../../../src/testing/workers-cache/workers-cache.ts'

type Respond = (request: Request, run: number) => Response | Promise<Response>

interface StageEnv {
  readonly respond: Respond
  readonly runs: Request[]
}

class Listings extends WorkerEntrypoint<StageEnv, { readonly user?: string }> {
  override async fetch(request: Request): Promise<Response> {
    const run = this.env.runs.push(request)
    return this.env.respond(request, run)
  }

  async purge(options: CachePurgeOptions): Promise<CachePurgeResult | undefined> {
    return this.ctx.cache?.purge(options)
  }

  async invalidate(options: CachePurgeOptions): Promise<CachePurgeResult | undefined> {
    return this.ctx.cache?.invalidate(options)
  }

  async look(): Promise<readonly string[]> {
    const { user = 'nobody' } = this.ctx.props
    return [
      user,
      ...Object.keys(this.ctx.exports),
      ...Object.keys(loopbacks),
      ...Object.keys(imported),
    ]
  }

  async failLater(): Promise<void> {
    this.ctx.waitUntil(Promise.reject(new Error('Too late.')))
  }
}

/** Another entrypoint with the same methods. */
class Products extends Listings {}

/** Two entrypoints behind the cache, a clock, and all requests that reached them. */
function createStage(respond: Respond, options: WorkersCacheOptions = {}) {
  let clock = Date.parse('2026-12-01T12:00:00Z')
  const runs: Request[] = []
  const cache = createWorkersCache({ now: () => clock, ...options })
  const exports = cache.inFrontOf({ Listings, Products }, { respond, runs })
  return {
    cache,
    exports,
    runs,
    pass: (seconds: number) => void (clock += seconds * 1000),
    ask: (path = '/', init?: RequestInit) => exports.Listings.fetch(`https://a.test${path}`, init),
    /** The status of a response, and its body. */
    tell: async (path = '/', init?: RequestInit): Promise<string> => {
      const response = await exports.Listings.fetch(`https://a.test${path}`, init)
      return `${response.headers.get('Cf-Cache-Status')} ${await response.text()}`
    },
  }
}

/** Answers with the number of the run and these headers. */
function numbered(headers: HeadersInit, status = 200): Respond {
  return (_, run) => new Response(String(run), { status, headers })
}

const minute = numbered({ 'Cache-Control': 'public, max-age=60' })

describe('the key', () => {
  test('is the path and the query, but neither the host nor other headers', async () => {
    const { tell, exports } = createStage(minute)
    expect(await tell('/a?x=1&y=2')).toBe('MISS 1')
    expect(await tell('/a?x=1&y=2', { headers: { 'User-Agent': 'b', Cookie: 'c=d' } })).toBe(
      'HIT 1',
    )
    expect(await tell('/a?y=2&x=1')).toBe('MISS 2')
    expect(await tell('/a/?x=1&y=2')).toBe('MISS 3')
    const elsewhere = await exports.Listings.fetch(new URL('http://b.test/a?x=1&y=2'))
    expect(elsewhere.headers.get('Cf-Cache-Status')).toBe('HIT')
  })

  test('contains the entrypoint', async () => {
    const { tell, exports } = createStage(minute)
    await tell()
    const other = await exports.Products.fetch('https://a.test/')
    expect(other.headers.get('Cf-Cache-Status')).toBe('MISS')
  })

  test('contains the props, in any order of their keys', async () => {
    const { exports, cache } = createStage(minute)
    const as = (props: object) => exports.Listings({ props }).fetch('https://a.test/')
    await as({ user: 'ada', scopes: ['a', 'b'], claims: { x: 1, y: null } })
    await as({ claims: { y: null, x: 1 }, scopes: ['a', 'b'], user: 'ada' })
    await as({ user: 'ada', scopes: ['b', 'a'], claims: { x: 1, y: null } })
    await as({ user: 'ada', scopes: ['a', 'b'], claims: { x: '1', y: null } })
    await as({})
    await exports.Listings.fetch('https://a.test/')
    const statuses = cache.log.map(({ status }) => status)
    expect(statuses).toEqual(['MISS', 'HIT', 'MISS', 'MISS', 'MISS', 'HIT'])
  })

  test('refuses props that cannot be compared', async () => {
    const { exports } = createStage(minute)
    const as = (props: object) => exports.Listings({ props })
    const asked = as({ seen: new Map() }).fetch('https://a.test/')
    await expect(asked).rejects.toThrow(TypeError)
    expect(() => as({ run() {} })).toThrow('could not be cloned')
  })

  test('contains the version, so that a deploy starts cold and a rollback does not', async () => {
    const { cache, tell } = createStage(minute)
    await tell()
    cache.deploy('v2')
    expect(await tell()).toBe('MISS 2')
    cache.deploy('v1')
    expect(await tell()).toBe('HIT 1')
  })

  test('does not contain the version with cross_version_cache', async () => {
    const { cache, tell } = createStage(minute, { crossVersion: true })
    await tell()
    cache.deploy('v2')
    expect(await tell()).toBe('HIT 1')
  })

  test.each([
    ['X-HTTP-Method-Override', 'DELETE', 'MISS 2'],
    ['X-HTTP-Method', 'DELETE', 'MISS 2'],
    ['X-Method-Override', 'DELETE', 'MISS 2'],
    ['X-Forwarded-Host', 'b.test', 'MISS 2'],
    ['X-Host', 'b.test', 'MISS 2'],
    ['X-Forwarded-Scheme', 'http', 'HIT 1'],
    ['X-Forwarded-Scheme', 'https', 'HIT 1'],
    ['X-Forwarded-Scheme', 'nothttps', 'MISS 2'],
    ['X-Original-URL', '/b', 'MISS 2'],
    ['X-Rewrite-URL', '/b', 'MISS 2'],
    ['Forwarded', 'host=b.test', 'MISS 2'],
    ['Cloudflare-Workers-Version-Key', 'b', 'MISS 2'],
    ['X-Forwarded-For', '192.0.2.1', 'HIT 1'],
  ])('against poisoning: %s: %s is a %s', async (name, value, expected) => {
    const { tell } = createStage(minute)
    await tell()
    expect(await tell('/', { headers: { [name]: value } })).toBe(expected)
  })

  test('is cf.cacheKey instead of path and query', async () => {
    const { tell } = createStage(minute)
    await tell('/a')
    expect(await tell('/b', { cf: { cacheKey: '/a' } })).toBe('HIT 1')
    expect(await tell('/a', { cf: { cacheKey: 'own' } })).toBe('MISS 2')
    expect(await tell('/a', { cf: { cacheKey: '' } })).toBe('HIT 1')
  })
})

describe('a request', () => {
  test('GET and HEAD share an entry, which a HEAD stores as a GET', async () => {
    const { ask, tell, runs } = createStage(minute)
    const head = await ask('/', { method: 'HEAD' })
    expect([head.headers.get('Cf-Cache-Status'), head.body]).toEqual(['MISS', null])
    expect(runs[0]?.method).toBe('GET')
    expect(await tell()).toBe('HIT 1')
    expect(await tell('/', { method: 'HEAD' })).toBe('HIT ')
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s runs the callee', async (method) => {
    const { tell, runs } = createStage(minute)
    await tell()
    expect(await tell('/', { method, ...(method === 'POST' && { body: 'x' }) })).toBe('BYPASS 2')
    expect(runs[1]?.method).toBe(method)
    expect(await tell()).toBe('HIT 1')
  })

  test('an upgrade to a WebSocket runs the callee and keeps its socket', async () => {
    const { ask } = createStage(() => {
      const [webSocket] = Object.values(new WebSocketPair())
      return new Response(null, { status: 101, webSocket: webSocket ?? null })
    })
    const response = await ask('/', { headers: { Upgrade: 'websocket' } })
    expect(response.headers.get('Cf-Cache-Status')).toBe('BYPASS')
    expect(response.webSocket).not.toBeNull()
  })

  test('a range is fetched and served whole', async () => {
    const { tell, runs } = createStage(minute)
    expect(await tell('/', { headers: { Range: 'bytes=0-0' } })).toBe('MISS 1')
    expect(runs[0]?.headers.has('Range')).toBe(false)
  })

  test('custom RPC runs the callee, on a new instance with its own ctx', async () => {
    const { cache } = createStage(minute)
    const others = { Hub: { a: 1 } }
    const exports = cache.inFrontOf({ Listings }, { runs: [], respond: minute }, others)
    const seen = ['Hub', 'Listings', 'Hub', 'Listings', 'runs', 'respond']
    expect(await exports.Listings({ props: { user: 'ada' } }).look()).toEqual(['ada', ...seen])
    expect(await exports.Listings.look()).toEqual(['nobody', ...seen])
    expect(exports.Hub).toBe(others.Hub)
    expect(cache.log).toEqual([])
  })

  test('a stub is not a promise', async () => {
    const { exports } = createStage(minute)
    expect(Object.keys(await Promise.resolve(exports.Products))).toContain('purge')
    expect(exports.Products).not.toHaveProperty('then')
  })
})

describe('a stored response', () => {
  test.each([
    ['public, max-age=60', 'MISS', 'HIT'],
    ['max-age=60', 'MISS', 'HIT'],
    ['s-maxage=60, max-age=0', 'MISS', 'HIT'],
    ['s-maxage=0, max-age=60', 'MISS', 'EXPIRED'],
    ['max-age=0', 'MISS', 'EXPIRED'],
    ['max-age=soon', 'MISS', 'EXPIRED'],
    ['public', 'MISS', 'EXPIRED'],
    ['no-cache', 'MISS', 'EXPIRED'],
    ['no-cache, max-age=60', 'MISS', 'EXPIRED'],
    ['no-store', 'BYPASS', 'BYPASS'],
    ['private, max-age=60', 'BYPASS', 'BYPASS'],
    ['No-Store, Max-Age=60', 'BYPASS', 'BYPASS'],
  ])('Cache-Control: %s is a %s and then a %s', async (value, first, second) => {
    const { tell } = createStage(numbered({ 'Cache-Control': value }))
    expect(await tell()).toBe(`${first} 1`)
    expect(await tell()).toBe(second === 'HIT' ? 'HIT 1' : `${second} 2`)
  })

  test.each([
    ['cloudflare-cdn-cache-control', 'max-age=60', 'no-store', 'no-store', 'HIT'],
    ['cdn-cache-control', '', 'max-age=60', 'no-store', 'HIT'],
    ['cloudflare-cdn-cache-control, forbidding', 'no-store', 'max-age=60', 'max-age=60', 'BYPASS'],
    ['Cache-Control', '', '', 'max-age=60', 'HIT'],
  ])('%s goes before the others', async (_, cloudflare, cdn, plain, expected) => {
    const headers = new Headers({ 'Cache-Control': plain })
    if (cdn !== '') headers.set('CDN-Cache-Control', cdn)
    if (cloudflare !== '') headers.set('Cloudflare-CDN-Cache-Control', cloudflare)
    const { tell, cache } = createStage(numbered(headers))
    await tell()
    await tell()
    expect(cache.log[1]?.status).toBe(expected)
  })

  test('cf.cacheControl of the caller goes before all headers of the callee', async () => {
    const { tell } = createStage(numbered({ 'Cache-Control': 'no-store' }))
    const init = { cf: { cacheControl: 'public, max-age=300' } }
    await tell('/', init)
    expect(await tell('/', init)).toBe('HIT 1')
  })

  test.each([
    ['Tue, 01 Dec 2026 12:01:00 GMT', 'HIT 1'],
    ['Tue, 01 Dec 2026 11:59:00 GMT', 'EXPIRED 2'],
    ['0', 'EXPIRED 2'],
  ])('Expires: %s makes the next a %s', async (Expires, expected) => {
    const { tell } = createStage(numbered({ Expires }))
    await tell()
    expect(await tell()).toBe(expected)
  })

  test.each([
    ['CDN-Cache-Control', 'public'],
    ['Cloudflare-CDN-Cache-Control', 'public'],
    ['Cache-Control', 'max-age=soon'],
  ])('Expires is ignored beside %s: %s', async (name, value) => {
    const { tell } = createStage(
      numbered({ [name]: value, Expires: 'Tue, 01 Dec 2026 12:01:00 GMT' }),
    )
    await tell()
    expect(await tell()).toBe('EXPIRED 2')
  })

  test.each([
    [200, 7200],
    [203, 7200],
    [300, 1200],
    [301, 1200],
    [404, 180],
    [405, 60],
    [410, 180],
    [414, 60],
    [501, 60],
  ])('without Cache-Control a %i is fresh for %i seconds', async (status, seconds) => {
    const { tell, pass, runs } = createStage(numbered({}, status))
    await tell()
    pass(seconds - 1)
    expect(await tell()).toBe('HIT 1')
    pass(1)
    await tell()
    expect(runs).toHaveLength(2)
  })

  test('a 204 without Cache-Control is fresh for two hours', async () => {
    const { tell, pass } = createStage(() => new Response(null, { status: 204 }))
    await tell()
    pass(7199)
    expect(await tell()).toBe('HIT ')
  })

  test.each([201, 302, 400, 401, 403, 500, 503])(
    'without Cache-Control a %i is not stored; with it, it is',
    async (status) => {
      const without = createStage(numbered({}, status))
      expect(await without.tell()).toBe('DYNAMIC 1')
      expect(await without.tell()).toBe('DYNAMIC 2')
      const beside = createStage(numbered({ 'Cache-Control': 'max-age=60' }, status))
      await beside.tell()
      expect(await beside.tell()).toBe('HIT 1')
    },
  )

  test.each([
    ['public', 'EXPIRED 2'],
    ['stale-if-error=60', 'DYNAMIC 2'],
  ])('a 403 with only %s makes the next a %s', async (value, expected) => {
    const { tell } = createStage(numbered({ 'Cache-Control': value }, 403))
    await tell()
    expect(await tell()).toBe(expected)
  })

  test.each([206, 520, 523, 526])('a %i is never stored', async (status) => {
    const { tell } = createStage(numbered({ 'Cache-Control': 'public, max-age=60' }, status))
    expect(await tell()).toBe('MISS 1')
    expect(await tell()).toBe('MISS 2')
  })

  test.each([
    ['max-age=60', 'BYPASS 2'],
    ['public, max-age=60', 'HIT 1'],
    ['s-maxage=60', 'HIT 1'],
    ['must-revalidate, max-age=60', 'HIT 1'],
  ])('for a request with Authorization, %s makes the next a %s', async (value, expected) => {
    const { tell } = createStage(numbered({ 'Cache-Control': value }))
    const init = { headers: { Authorization: 'Bearer a' } }
    await tell('/', init)
    expect(await tell('/', init)).toBe(expected)
  })

  test('a request with Authorization gets what a request without it has stored', async () => {
    const { tell } = createStage(numbered({ 'Cache-Control': 'max-age=60' }))
    await tell()
    expect(await tell('/', { headers: { Authorization: 'Bearer a' } })).toBe('HIT 1')
  })

  test.each(['public, max-age=60', 'public, max-age=60, private="x-own"'])(
    'Set-Cookie beside %s is not stored',
    async (value) => {
      const { tell } = createStage(numbered({ 'Cache-Control': value, 'Set-Cookie': 'a=b' }))
      await tell()
      expect(await tell()).toBe('BYPASS 2')
    },
  )

  test.each(['private="set-cookie"', 'no-cache="set-cookie, x-own"'])(
    'Set-Cookie is not stored with %s',
    async (directive) => {
      const headers = { 'Cache-Control': `max-age=60, ${directive}`, 'Set-Cookie': 'a=b' }
      const { ask } = createStage(numbered(headers))
      expect((await ask()).headers.get('Set-Cookie')).toBe('a=b')
      const stored = await ask()
      expect(stored.headers.get('Cf-Cache-Status')).toBe('HIT')
      expect(stored.headers.has('Set-Cookie')).toBe(false)
    },
  )

  test('Vary stores a variant for each value, compared verbatim', async () => {
    const { tell } = createStage(numbered({ 'Cache-Control': 'max-age=60', Vary: 'Accept, X-Own' }))
    const accepting = (Accept: string) => tell('/', { headers: { Accept } })
    expect(await accepting('a, b')).toBe('MISS 1')
    expect(await accepting('b, a')).toBe('MISS 2')
    expect(await tell()).toBe('MISS 3')
    expect(await accepting('a, b')).toBe('HIT 1')
    expect(await accepting('b, a')).toBe('HIT 2')
    expect(await tell('/', { headers: { Accept: 'a, b', 'X-Own': '1' } })).toBe('MISS 4')
  })

  test('Vary: * is not stored', async () => {
    const { tell } = createStage(numbered({ 'Cache-Control': 'max-age=60', Vary: '*' }))
    await tell()
    expect(await tell()).toBe('BYPASS 2')
  })

  test('a response larger than the limit is served and not stored', async () => {
    const { tell } = createStage(minute, { maxBytes: 1 })
    await tell()
    expect(await tell()).toBe('HIT 1')
    const tight = createStage(minute, { maxBytes: 0 })
    expect(await tight.tell()).toBe('MISS 1')
    expect(await tight.tell()).toBe('MISS 2')
  })

  test('a response that is not stored is streamed', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const { ask } = createStage(() => {
      return new Response(readable, { headers: { 'Cache-Control': 'no-store' } })
    })
    const response = await ask()
    expect(response.headers.get('Cf-Cache-Status')).toBe('BYPASS')
    const text = response.text()
    const writer = writable.getWriter()
    await writer.write(new TextEncoder().encode('late'))
    await writer.close()
    expect(await text).toBe('late')
  })
})

describe('a served response', () => {
  test('a HIT has an Age in whole seconds, and no callee runs', async () => {
    const { ask, pass, runs } = createStage(minute)
    expect((await ask()).headers.has('Age')).toBe(false)
    pass(59.9)
    const hit = await ask()
    expect([hit.headers.get('Age'), await hit.text(), runs.length]).toEqual(['59', '1', 1])
    pass(0.1)
    const expired = await ask()
    expect(expired.headers.get('Cf-Cache-Status')).toBe('EXPIRED')
    expect(expired.headers.has('Age')).toBe(false)
  })

  test('the Age of the callee’s response counts', async () => {
    const { tell, ask, pass } = createStage(numbered({ 'Cache-Control': 'max-age=60', Age: '50' }))
    await tell()
    pass(9)
    expect((await ask()).headers.get('Age')).toBe('59')
    pass(1)
    expect(await tell()).toBe('EXPIRED 2')
  })

  test('Cache-Tag and cloudflare-cdn-cache-control do not reach the caller', async () => {
    const headers = {
      'Cloudflare-CDN-Cache-Control': 'max-age=60',
      'CDN-Cache-Control': 'max-age=30',
      'Cache-Control': 'max-age=10',
      'Cache-Tag': 'a',
    }
    const { ask } = createStage(numbered(headers))
    const replies = [await ask(), await ask(), await ask('/', { method: 'DELETE' })]
    for (const reply of replies) {
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'cdn-cache-control': 'max-age=30',
        'cache-control': 'max-age=10',
      })
      expect(reply.headers.has('Cache-Tag')).toBe(false)
      expect(reply.headers.has('Cloudflare-CDN-Cache-Control')).toBe(false)
    }
  })

  test('within stale-while-revalidate: UPDATING at once, and one refresh in the background', async () => {
    const { tell, pass, cache, runs } = createStage(
      numbered({ 'Cache-Control': 'max-age=60, stale-while-revalidate=30' }),
    )
    await tell()
    pass(60)
    expect(await Promise.all([tell(), tell()])).toEqual(['UPDATING 1', 'UPDATING 1'])
    await cache.settled()
    expect(runs).toHaveLength(2)
    expect(await tell()).toBe('HIT 2')
    pass(90)
    expect(await tell()).toBe('EXPIRED 3')
  })

  test('within stale-while-revalidate a callee that fails does not remove the entry', async () => {
    const { tell, pass, cache } = createStage((_, run) => {
      if (run === 2) throw new Error('Not now.')
      const headers = { 'Cache-Control': 'max-age=60, stale-while-revalidate=30, stale-if-error=0' }
      return new Response(String(run), { headers })
    })
    await tell()
    pass(60)
    await tell()
    await cache.settled()
    expect(await tell()).toBe('UPDATING 1')
    await cache.settled()
    expect(await tell()).toBe('HIT 3')
  })

  test('no-cache with stale-while-revalidate is UPDATING until that ends', async () => {
    const { tell, pass, cache } = createStage(
      numbered({ 'Cache-Control': 'no-cache, stale-while-revalidate=30' }),
    )
    await tell()
    expect(await tell()).toBe('UPDATING 1')
    await cache.settled()
    pass(30)
    expect(await tell()).toBe('EXPIRED 3')
  })

  test.each(['s-maxage=60', 'max-age=60, must-revalidate', 'max-age=60, proxy-revalidate'])(
    '%s forbids stale responses',
    async (value) => {
      const { tell, pass } = createStage((_, run) => {
        if (run === 3) return new Response('Down.', { status: 503 })
        const stale = 'stale-while-revalidate=30, stale-if-error=30'
        return new Response(String(run), { headers: { 'Cache-Control': `${value}, ${stale}` } })
      })
      await tell()
      pass(60)
      expect(await tell()).toBe('EXPIRED 2')
      pass(60)
      expect(await tell()).toBe('EXPIRED Down.')
    },
  )

  test('a 304 to a request with validators is REVALIDATED, and fresh again', async () => {
    const modified = 'Tue, 01 Dec 2026 00:00:00 GMT'
    const { tell, ask, pass, runs } = createStage((_, run) => {
      const validators = { ETag: '"a"', 'Last-Modified': modified }
      const headers = { 'Cache-Control': 'max-age=60', Age: '50', ...validators }
      const changed = { 'Cache-Control': 'max-age=120', 'X-Own': 'new' }
      return run === 1
        ? new Response('1', { headers })
        : new Response(null, { status: 304, headers: changed })
    })
    await tell()
    pass(60)
    const revalidated = await ask()
    expect(Object.fromEntries(revalidated.headers)).toMatchObject({
      'cf-cache-status': 'REVALIDATED',
      'cache-control': 'max-age=120',
      age: '0',
      'x-own': 'new',
    })
    expect(await revalidated.text()).toBe('1')
    expect(runs[1]?.headers.get('If-None-Match')).toBe('"a"')
    expect(runs[1]?.headers.get('If-Modified-Since')).toBe(modified)
    pass(119)
    expect(await tell()).toBe('HIT 1')
  })

  test('a 304 that forbids storing serves the entry for the last time', async () => {
    const { ask, pass, runs } = createStage((_, run) => {
      const headers = { 'Cache-Control': run === 1 ? 'no-cache' : 'no-store', ETag: '"a"' }
      return new Response(run === 2 ? null : String(run), {
        status: run === 2 ? 304 : 200,
        headers,
      })
    })
    await ask()
    pass(5)
    const last = await ask()
    expect([await last.text(), last.headers.get('Age')]).toEqual(['1', '0'])
    expect(last.headers.get('Cf-Cache-Status')).toBe('REVALIDATED')
    await ask()
    expect(runs.map(({ headers }) => headers.has('If-None-Match'))).toEqual([false, true, false])
  })

  test('the conditions of a caller are answered from the cache, not by the callee', async () => {
    const { ask, runs } = createStage(numbered({ 'Cache-Control': 'max-age=60', ETag: '"a"' }))
    const init = { headers: { 'If-None-Match': 'W/"a", "b"' } }
    expect((await ask('/', init)).status).toBe(200)
    expect(runs[0]?.headers.has('If-None-Match')).toBe(false)
    const hit = await ask('/', init)
    expect([hit.status, hit.headers.get('Cf-Cache-Status')]).toEqual([304, 'HIT'])
    expect((await ask('/', { headers: { 'If-None-Match': '"b"' } })).status).toBe(200)
  })

  const down = () => new Response('Down.', { status: 503 })
  const thrown = () => Promise.reject(new Error('Thrown.'))
  const broken = () =>
    new Response(new ReadableStream({ pull: () => Promise.reject(new Error('Broken.')) }), {
      headers: { 'Cache-Control': 'max-age=60' },
    })

  test.each([
    ['is down', down],
    ['throws', thrown],
    ['breaks off', broken],
  ])('when the callee %s: STALE, without limit by default', async (_, fail) => {
    const { tell, pass } = createStage((_, run) => {
      return run === 1 ? new Response('1', { headers: { 'Cache-Control': 'max-age=60' } }) : fail()
    })
    await tell()
    pass(100_000_000)
    expect(await tell()).toBe('STALE 1')
    expect(await tell()).toBe('STALE 1')
  })

  test.each([
    ['stale-if-error=30', 89, 'STALE 1'],
    ['stale-if-error=30', 90, 'EXPIRED Down.'],
    ['stale-if-error=0', 60, 'EXPIRED Down.'],
  ])('with %s, after %i seconds, a callee that is down is a %s', async (value, after, expected) => {
    const { tell, pass } = createStage((request, run) => {
      return run === 1
        ? numbered({ 'Cache-Control': `max-age=60, ${value}` })(request, run)
        : down()
    })
    await tell()
    pass(after)
    expect(await tell()).toBe(expected)
  })

  test('an entry outlasts an error for which it may not be served', async () => {
    const { tell, pass } = createStage((_, run) => {
      const headers = { 'Cache-Control': 'max-age=60, stale-if-error=0', ETag: '"a"' }
      if (run === 2) return down()
      return new Response(run === 1 ? '1' : null, { status: run === 1 ? 200 : 304, headers })
    })
    await tell()
    pass(60)
    expect(await tell()).toBe('EXPIRED Down.')
    expect(await tell()).toBe('REVALIDATED 1')
  })

  test('a callee that throws on a cold cache throws at the caller', async () => {
    const { tell, cache } = createStage(thrown)
    await expect(tell()).rejects.toThrow('Thrown.')
    expect(cache.log).toEqual([
      { entrypoint: 'Listings', url: 'https://a.test/', props: {}, status: 'THREW' },
    ])
  })

  test('a response that may not be stored replaces the entry', async () => {
    const { tell, pass } = createStage((request, run) => {
      const value = run === 2 ? 'no-store' : 'max-age=60'
      return run === 3 ? down() : numbered({ 'Cache-Control': value })(request, run)
    })
    await tell()
    pass(60)
    expect(await tell()).toBe('BYPASS 2')
    expect(await tell()).toBe('DYNAMIC Down.')
  })
})

describe('request collapsing', () => {
  test('runs the callee once for simultaneous requests', async () => {
    const { tell, runs } = createStage(minute)
    expect(await Promise.all([tell(), tell(), tell()])).toEqual(['MISS 1', 'HIT 1', 'HIT 1'])
    expect(runs).toHaveLength(1)
  })

  test('shares even a response that is stale at once', async () => {
    const { tell } = createStage(numbered({ 'Cache-Control': 'max-age=0' }))
    expect(await Promise.all([tell(), tell()])).toEqual(['MISS 1', 'HIT 1'])
    expect(await Promise.all([tell(), tell()])).toEqual(['EXPIRED 2', 'HIT 2'])
  })

  test('runs the callee for each request if nothing is stored', async () => {
    const { tell } = createStage(numbered({ 'Cache-Control': 'no-store' }))
    const answers = await Promise.all([tell(), tell(), tell()])
    expect(answers).toEqual(['BYPASS 1', 'BYPASS 2', 'BYPASS 3'])
  })

  test('runs the callee for each request if the first run throws', async () => {
    const { tell } = createStage((request, run) => {
      if (run === 1) throw new Error('Once.')
      return minute(request, run)
    })
    const [first, second] = await Promise.allSettled([tell(), tell()])
    expect(first.status).toBe('rejected')
    expect(second).toMatchObject({ value: 'MISS 2' })
  })

  test('serves all of them STALE if the callee fails', async () => {
    const { tell, pass, runs } = createStage((request, run) => {
      if (run > 1) throw new Error('Not now.')
      return minute(request, run)
    })
    await tell()
    pass(60)
    expect(await Promise.all([tell(), tell()])).toEqual(['STALE 1', 'STALE 1'])
    expect(runs).toHaveLength(2)
  })

  test('does not serve one variant to a request for another', async () => {
    const { tell } = createStage(numbered({ 'Cache-Control': 'max-age=60', Vary: 'Accept' }))
    const accepting = (Accept: string) => tell('/', { headers: { Accept } })
    const answers = await Promise.all([
      accepting('a'),
      accepting('b'),
      accepting('a'),
      accepting('b'),
    ])
    expect(answers).toEqual(['MISS 1', 'MISS 2', 'HIT 1', 'HIT 2'])
  })
})

describe('purge', () => {
  const tagged = (tags: string) => numbered({ 'Cache-Control': 'max-age=60', 'Cache-Tag': tags })

  test('by tag, in any case, leaves entries with other tags', async () => {
    const { tell, exports } = createStage((request, run) => {
      return tagged(request.url.endsWith('/a') ? 'Lists, page:A' : 'lists')(request, run)
    })
    await tell('/a')
    await tell('/b')
    expect(await exports.Listings.purge({ tags: ['PAGE:a'] })).toEqual({
      success: true,
      errors: [],
    })
    expect(await tell('/b')).toBe('HIT 2')
    expect(await tell('/a')).toBe('MISS 3')
    await exports.Listings.purge({ tags: ['lists'] })
    expect(await tell('/b')).toBe('MISS 4')
  })

  test('by path prefix, with or without its slash', async () => {
    const { tell, exports } = createStage(minute)
    const paths = ['/blog/1', '/blog/2?x', '/about']
    const tellAll = () => Promise.all(paths.map((path) => tell(path)))
    await tellAll()
    await exports.Listings.purge({ pathPrefixes: ['/blog/1'] })
    expect(await tellAll()).toEqual(['MISS 4', 'HIT 2', 'HIT 3'])
    await exports.Listings.purge({ pathPrefixes: ['blog'] })
    expect(await tellAll()).toEqual(['MISS 5', 'MISS 6', 'HIT 3'])
  })

  test('by tag or path prefix, in union', async () => {
    const { tell, exports } = createStage((request, run) => {
      return tagged(request.url.endsWith('/a') ? 'a' : 'b')(request, run)
    })
    await Promise.all([tell('/a'), tell('/b'), tell('/c')])
    await exports.Listings.purge({ tags: ['a'], pathPrefixes: ['/b'] })
    expect(await tell('/c')).toBe('HIT 3')
    expect(await tell('/a')).toBe('MISS 4')
    expect(await tell('/b')).toBe('MISS 5')
  })

  test('reaches the whole calling entrypoint, with any props, and no other', async () => {
    const { exports, cache } = createStage(minute)
    const ada = exports.Listings({ props: { user: 'ada' } })
    const grace = exports.Listings({ props: { user: 'grace' } })
    const askAll = () =>
      Promise.all([ada, grace, exports.Products].map((stub) => stub.fetch('https://a.test/')))
    await askAll()
    await ada.purge({ purgeEverything: true })
    await askAll()
    expect(cache.log.slice(3).map(({ status }) => status)).toEqual(['HIT', 'MISS', 'MISS'])
    expect(cache.log[3]).toMatchObject({ entrypoint: 'Products' })
  })

  test('reaches only the same props with purgeScope: props', async () => {
    const { exports } = createStage(minute, { purgeScope: 'props' })
    const ada = exports.Listings({ props: { user: 'ada' } })
    const grace = exports.Listings({ props: { user: 'grace' } })
    await ada.fetch('https://a.test/')
    await grace.fetch('https://a.test/')
    await ada.purge({ purgeEverything: true })
    const replies = [await ada.fetch('https://a.test/'), await grace.fetch('https://a.test/')]
    const statuses = replies.map(({ headers }) => headers.get('Cf-Cache-Status'))
    expect(statuses).toEqual(['MISS', 'HIT'])
  })

  test('removes all variants of a URL', async () => {
    const { tell, exports } = createStage((request, run) => {
      const Accept = request.headers.get('Accept') ?? ''
      const headers = { 'Cache-Control': 'max-age=60', Vary: 'Accept', 'Cache-Tag': Accept }
      return new Response(String(run), { headers })
    })
    await tell('/', { headers: { Accept: 'a' } })
    await tell('/', { headers: { Accept: 'b' } })
    await exports.Listings.purge({ tags: ['a'] })
    expect(await tell('/', { headers: { Accept: 'b' } })).toBe('MISS 3')
  })

  test('drops invalid tags without an error', async () => {
    const long = 'x'.repeat(1025)
    const { tell, exports } = createStage(tagged(`two words, ${long},, a`))
    await tell()
    await exports.Listings.purge({ tags: ['two words', 'two', long, ''] })
    expect(await tell()).toBe('HIT 1')
    await exports.Listings.purge({ tags: ['a'] })
    expect(await tell()).toBe('MISS 2')
  })

  test.each([
    [{ purgeEverything: true, tags: ['a'] }],
    [{ purgeEverything: true, pathPrefixes: ['/'] }],
    [{ pathPrefixes: ['https://a.test/'] }],
    [{ pathPrefixes: ['/?x'] }],
    [{ pathPrefixes: ['/#x'] }],
    [{}],
  ])('refuses %o', async (options) => {
    const { tell, exports } = createStage(tagged('a'))
    await tell()
    const result = await exports.Listings.purge(options)
    expect(result?.success).toBe(false)
    expect(result?.errors).toHaveLength(1)
    expect(await tell()).toBe('HIT 1')
  })

  test('fails as over the limit after refusePurges', async () => {
    const { cache, tell, exports } = createStage(minute)
    const errors = [{ code: 429, message: 'Too many purges.' }]
    await tell()
    cache.refusePurges(errors)
    const refused = await exports.Listings.purge({ purgeEverything: true })
    expect(refused).toEqual({ success: false, errors })
    expect(await tell()).toBe('HIT 1')
    cache.refusePurges([])
    await exports.Listings.purge({ purgeEverything: true })
    expect(await tell()).toBe('MISS 2')
  })

  test('leaves nothing to serve if the callee fails afterwards', async () => {
    const { tell, pass, exports } = createStage(async (request, run) => {
      if (run === 1) return minute(request, run)
      await exports.Listings.purge({ purgeEverything: true })
      throw new Error('Not now.')
    })
    await tell()
    pass(60)
    await expect(tell()).rejects.toThrow('Not now.')
  })

  test('does not reach a response that is being made', async () => {
    const made = Promise.withResolvers<Response>()
    const { tell, exports } = createStage(() => made.promise)
    const first = tell()
    await exports.Listings.purge({ purgeEverything: true })
    made.resolve(new Response('old', { headers: { 'Cache-Control': 'max-age=60' } }))
    expect(await first).toBe('MISS old')
    expect(await tell()).toBe('HIT old')
  })
})

describe('invalidate', () => {
  test('keeps the entries that it makes stale, for revalidation', async () => {
    const { tell, exports } = createStage((request, run) => {
      const headers = { 'Cache-Control': 'max-age=60', ETag: '"a"', 'Cache-Tag': 'a' }
      const isKnown = request.headers.get('If-None-Match') === '"a"'
      return new Response(isKnown ? null : String(run), { status: isKnown ? 304 : 200, headers })
    })
    await tell()
    expect(await exports.Listings.invalidate({ tags: ['a'] })).toEqual({
      success: true,
      errors: [],
    })
    expect(await tell()).toBe('REVALIDATED 1')
    expect(await tell()).toBe('HIT 1')
  })

  test('begins the stale windows, and extends none', async () => {
    const { tell, pass, exports } = createStage(
      numbered({ 'Cache-Control': 'max-age=60, stale-while-revalidate=30' }),
    )
    await tell()
    await exports.Listings.invalidate({ purgeEverything: true })
    pass(29)
    expect(await tell('/')).toBe('UPDATING 1')
    pass(61)
    await exports.Listings.invalidate({ purgeEverything: true })
    pass(29)
    expect(await tell()).toBe('EXPIRED 3')
  })
})

describe('for tests', () => {
  test('the log has every fetch, and clear() removes it and all entries', async () => {
    const { cache, tell, exports } = createStage(minute)
    await exports.Listings({ props: { user: 'ada' } }).fetch('https://a.test/list?x')
    await tell('/', { method: 'POST' })
    expect(cache.log).toEqual([
      {
        entrypoint: 'Listings',
        url: 'https://a.test/list?x',
        props: { user: 'ada' },
        status: 'MISS',
      },
      { entrypoint: 'Listings', url: 'https://a.test/', props: {}, status: 'BYPASS' },
    ])
    cache.clear()
    expect(cache.log).toEqual([])
    await exports.Listings({ props: { user: 'ada' } }).fetch('https://a.test/list?x')
    expect(cache.log[0]?.status).toBe('MISS')
  })

  test('settled() waits for waitUntil, which may fail as in production', async () => {
    const { cache, exports } = createStage(minute)
    await exports.Listings.failLater()
    await expect(cache.settled()).resolves.toBeUndefined()
  })

  test('an entrypoint calls another through ctx.exports, behind its cache', async () => {
    const { cache, exports, tell } = createStage(async (request, run) => {
      if (request.url.endsWith('/inner')) return minute(request, run)
      const inner = await exports.Products.fetch('https://a.test/inner')
      return new Response(inner.body, { headers: { 'Cache-Control': 'no-store' } })
    })
    expect([await tell(), await tell()]).toEqual(['BYPASS 2', 'BYPASS 2'])
    const seen = cache.log.map(({ entrypoint, status }) => `${entrypoint} ${status}`)
    expect(seen).toEqual(['Products MISS', 'Listings BYPASS', 'Products HIT', 'Listings BYPASS'])
  })
})
