import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defineResource, defineTool, ToolError } from 'helve'
import { createAnotherWorker } from '../../../src/server.ts'
import type { IdentifiedCaller } from '../../../src/auth/custom.ts'
import { toRegistry, type Made } from '../../spec/registry.ts'
import { url, type Reply } from '../../spec/server.ts'
import { toModernRequest } from '../../support/modern-request.ts'
import {
  callers,
  isHit,
  makeThings,
  modes,
  anonymous,
  people,
  runsOf,
  serve,
  textOf,
  toComparable,
  toThing,
  turn,
  withoutOwn,
  type Thing,
} from './crossing-stage.ts'

// server/utilities/caching, "Cacheable Results" and "Freshness Calculation": what is never cached, and
// how long the rest is

const now = Date.parse('2026-11-01T12:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] })
  for (const name of ['error', 'warn'] as const)
    vi.spyOn(console, name).mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1_000)

const failures: readonly [string, () => string | null][] = [
  [
    'a fault',
    () => {
      throw new Error('At db.internal.')
    },
  ],
  [
    'a ToolError',
    () => {
      throw new ToolError('Closed today.')
    },
  ],
  ['nothing', () => null],
]

/** A tool, a resource and a list whose results are up to a test. */
function makeEntries(answer: () => string | null): Readonly<Record<string, Made>> {
  const text = (): string => {
    const said = answer()
    if (said === null) throw new ToolError('There is nothing.')
    return said
  }
  return {
    tool: defineTool({
      description: 'Is up to a test.',
      cache: '1m',
      stale: '1m',
      shared: true,
      hints: { readOnly: true },
      run: text,
    }),
    page: defineResource({
      uri: 'it://page',
      mime: 'text/plain',
      cache: '1m',
      stale: '1m',
      shared: true,
      read: answer,
    }),
    rows: defineResource({
      uri: 'it://rows/{id}',
      mime: 'text/plain',
      shared: true,
      list: () => ({ resources: [{ uri: 'it://rows/1', name: text() }] }),
      read: () => 'row',
    }),
  }
}

const requests: readonly [string, Pick<Thing, 'method' | 'params'>][] = [
  ['a tool', { method: 'tools/call', params: { name: 'tool' } }],
  ['a resource', { method: 'resources/read', params: { uri: 'it://page', name: 'it://page' } }],
  ['a list', { method: 'resources/list', params: {} }],
]
const lists = { cache: { lists: '1m', stale: '1m' } } as const
const all = modes.flatMap((mode) => requests.map(([name, thing]) => [mode, name, thing] as const))

describe.each(all)('with cache: %j, %s', (mode, _name, thing) => {
  test.each(failures)('that ends in %s is not stored', async (_what, failing) => {
    let answer = failing
    const server = serve(
      mode,
      makeEntries(() => answer()),
      lists,
    )
    const uncached = serve(false, makeEntries(failing), lists)
    const expected = mask(await uncached.ask(thing, anonymous))
    const [first, second] = [await server.ask(thing, anonymous), await server.ask(thing, 'ada-1')]
    expect(mask(first)).toEqual(expected)
    expect(mask(second)).toEqual(expected)
    for (const { headers } of [first, second]) expect(headers.get('Cache-Control')).toBe('no-store')
    expect(errorIdsOf(first).filter((id) => errorIdsOf(second).includes(id))).toEqual([])
    // and does not hide a success
    answer = () => 'run-1'
    const third = await server.ask(thing, anonymous)
    expect([runsOf(third), isHit(third)]).toEqual(['run-1', false])
    answer = failing
    expect(runsOf(await server.ask(thing, anonymous))).toBe('run-1')
    expect(server.edge.log.filter(({ status }) => status === 'HIT').length).toBeLessThan(2)
  })

  test('is fresh for its whole time, and no longer', async () => {
    let runs = 0
    const server = serve(
      mode,
      makeEntries(() => `run-${(runs += 1)}`),
      { cache: { lists: '1m' } },
    )
    const times: unknown[] = []
    for (const seconds of [0, 1, 28.9, 29.1, 0.9]) {
      pass(seconds)
      // oxlint-disable-next-line no-await-in-loop -- time passes in one direction
      const reply = await server.ask(thing, anonymous)
      const { ttlMs = null } = reply.body.result
      times.push([runsOf(reply), isHit(reply), ttlMs])
    }
    const ttls = thing.method === 'tools/call' ? [] : [60_000, 59_000, 31_000, 1_000, 1_000]
    const hits = [false, true, true, true, true]
    expect(times).toEqual(hits.map((hit, index) => ['run-1', hit, ttls[index] ?? null]))
  })

  test('that is stale is served while a new one is computed, and is not fresh for clients', async () => {
    let runs = 0
    const server = serve(
      mode,
      makeEntries(() => `run-${(runs += 1)}`),
      lists,
    )
    await server.ask(thing, anonymous)
    pass(90)
    const stale = await server.ask(thing, anonymous)
    expect(runsOf(stale)).toBe('run-1')
    expect([stale.body.result.ttlMs ?? 0, stale.headers.get('Cache-Control')]).toEqual([
      0,
      'no-store',
    ])
    await server.edge.settled()
    await turn()
    const renewed = await server.ask(thing, anonymous)
    expect([runsOf(renewed), isHit(renewed)]).toEqual(['run-2', true])
    pass(121)
    expect(runsOf(await server.ask(thing, anonymous))).toBe('run-3')
  })

  test.each(failures.slice(0, 2))(
    'that ends in %s when it is stale is still served from the cache',
    async (_what, failing) => {
      let answer: () => string | null = () => 'run-1'
      const server = serve(
        mode,
        makeEntries(() => answer()),
        lists,
      )
      await server.ask(thing, anonymous)
      answer = failing
      pass(90)
      expect(runsOf(await server.ask(thing, anonymous))).toBe('run-1')
      await server.edge.settled()
      await turn()
      // the failure has not replaced the result
      expect(runsOf(await server.ask(thing, anonymous))).toBe('run-1')
      await server.edge.settled()
      await turn()
      pass(61)
      // but its stale time ends
      expect(runsOf(await server.ask(thing, anonymous))).toBe('')
    },
  )

  test('of another deploy is not served', async () => {
    let runs = 0
    const made = makeEntries(() => `run-${(runs += 1)}`)
    const server = serve(mode, made, lists)
    await server.ask(thing, anonymous)
    // the platform distinguishes deploys, or else the version in the key does
    server.edge.deploy('v2')
    const next = mode === 'colo' ? serve(mode, made, lists) : server
    expect(runsOf(await next.ask(thing, anonymous))).toBe('run-2')
    server.edge.deploy('v1')
    expect(runsOf(await server.ask(thing, anonymous))).toBe('run-1')
  })
})

/** A reply without its error id, of which no two have the same. */
function mask(reply: Reply) {
  return JSON.stringify(toComparable(reply)).replaceAll(uuid, 'an id')
}

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g
const errorIdsOf = ({ text }: Reply): readonly string[] => withoutOwn(text).match(uuid) ?? []

describe.each(modes)('with cache: %j', (mode) => {
  test('a caller who has lost the scopes does not get a cached result', async () => {
    const known: Record<string, IdentifiedCaller> = { ...people }
    const server = serve(mode, makeThings(), {}, known)
    const guarded = ['a guarded resource', 'a shared tool that needs a scope'].map(toThing)
    const hidden = ['a concealed resource', 'a shared tool that is concealed'].map(toThing)
    for (const thing of [...guarded, ...hidden]) {
      // oxlint-disable-next-line no-await-in-loop -- the order is the point
      expect(runsOf(await server.ask(thing, 'ada-1'))).not.toBe('')
    }
    known['ada-1'] = { ...people['ada-1'], subject: 'subject-ada', scopes: [] }
    const stepUps = await Promise.all(guarded.map((thing) => server.ask(thing, 'ada-1')))
    expect(stepUps.map(({ status }) => status)).toEqual([403, 403])
    const unknown = await Promise.all(hidden.map((thing) => server.ask(thing, 'ada-1')))
    const never = await Promise.all(hidden.map((thing) => server.ask(thing, anonymous)))
    expect(unknown.map(({ body }) => body.error)).toEqual(never.map(({ body }) => body.error))
    const rows = await server.ask(toThing('a list with guarded and shared rows'), 'ada-1')
    expect(rows.text).not.toMatch(/it:\/\/(?:guarded|concealed)/)
    delete known['ada-1']
    const refused = await server.ask(toThing('a private resource'), 'ada-1')
    expect([refused.status, runsOf(refused)]).toEqual([401, ''])
  })

  test('documents show what an anonymous caller may see, for every caller', async () => {
    for (const who of callers) {
      const server = serve(mode)
      // oxlint-disable no-await-in-loop -- the order is the point
      await server.ask(toThing('a list with guarded and shared rows'), who)
      for (const name of ['tools', 'resources', 'server']) {
        const reply = await server.send(toGet(name, who))
        expect(reply.status).toBe(200)
        expect(reply.text).not.toMatch(/it:\/\/guarded|concealed|scoped|flagged|secret-|subject-/)
        expect(checkDocument(reply)).toMatch(/^public, max-age=\d+$/)
        const known = { 'If-None-Match': reply.headers.get('ETag') ?? '' }
        const again = await server.send(toGet(name, 'ada-1', known))
        expect([again.status, again.text]).toEqual([304, ''])
      }
      // oxlint-enable no-await-in-loop
    }
  })

  test('a document is refused to bad credentials', async () => {
    const reply = await serve(mode).send(toGet('tools', 'stolen'))
    expect([reply.status, reply.headers.get('Cache-Control')]).toEqual([401, 'no-store'])
  })

  test('a resource that is gone is not served for the rest of its stale time', async () => {
    let content: string | null = 'here'
    const server = serve(
      mode,
      makeEntries(() => content),
    )
    await server.ask(readPage, anonymous)
    content = null
    pass(90)
    await server.ask(readPage, anonymous)
    await server.edge.settled()
    await turn()
    expect(textOf(await server.ask(readPage, anonymous))).toContain('not found')
  })

  test('a request that waits while another one fails gets a run of its own', async () => {
    let runs = 0
    const server = serve(mode, {
      page: defineResource({
        uri: 'it://page',
        mime: 'text/plain',
        cache: '5m',
        shared: true,
        async read() {
          const run = (runs += 1)
          await turn()
          if (run === 1) throw new Error('Once.')
          return 'good'
        },
      }),
    })
    const replies = await Promise.all([1, 2].map(() => server.ask(readPage, anonymous)))
    expect(replies.map(textOf)[1]).toBe('good')
  })
})

const readPage = { method: 'resources/read', params: { uri: 'it://page', name: 'it://page' } }

function toGet(name: string, who: string, headers: Readonly<Record<string, string>> = {}): Request {
  const credentials = who === anonymous ? {} : { Authorization: `Bearer ${who}` }
  return new Request(`${url}/${name}`, {
    headers: { Cookie: `session=secret-${who}`, ...credentials, ...headers },
  })
}

function checkDocument({ headers }: Reply): string | null {
  expect(headers.get('Set-Cookie')).toBeNull()
  return headers.get('Cache-Control')
}

test.each(modes)('with cache: %j `limit` counts hits too', async (mode) => {
  let runs = 0
  const server = serve(mode, {
    [`counted_${mode}`]: defineTool({
      description: 'Is counted.',
      cache: '5m',
      shared: true,
      limit: { tokens: 2, per: '1h' },
      hints: { readOnly: true },
      run: () => `run-${(runs += 1)}`,
    }),
  })
  const thing = { method: 'tools/call', params: { name: `counted_${mode}` } }
  const ask = () => server.ask(thing, 'ada-1')
  const replies = [await ask(), await ask(), await ask()]
  expect(replies.map(runsOf)).toEqual(['run-1', 'run-1', ''])
  expect(replies[2]?.body.result.isError).toBe(true)
  // and another caller has a limit of its own
  expect(runsOf(await server.ask(thing, 'cyd-1'))).toBe('run-1')
})

test('with cache: "colo" two deploys of the same code do not share results', async () => {
  const registry = toRegistry({
    tell: defineTool({
      description: 'Names its tenant.',
      cache: '5m',
      hints: { readOnly: true },
      shared: true,
      run: ({ env }) => `of ${String(Reflect.get(env, 'TENANT'))}`,
    }),
  })
  const version = crypto.randomUUID()
  const call = async (tenant: string) => {
    const cache = { store: 'colo' } as const
    const worker = createAnotherWorker({
      name: tenant,
      version: '1',
      registry,
      cache,
      audit: false,
    })
    const target = `https://${tenant}.example.com/mcp`
    const request = toModernRequest(target, 'tools/call', { name: 'tell' })
    const bindings = Object.assign(Object.create(env), {
      TENANT: tenant,
      VERSION: { id: `${tenant} ${version}` },
    })
    const response = await worker.fetch(request, bindings, createExecutionContext())
    const body: ReturnType<typeof JSON.parse> = await response.json()
    return [body.result.content[0].text, response.headers.get('Cache-Status')]
  }
  expect(await call('production')).toEqual(['of production', 'helve; fwd=miss'])
  expect(await call('production')).toEqual(['of production', 'helve; hit; ttl=300'])
  expect(await call('staging')).toEqual(['of staging', 'helve; fwd=miss'])
})
