import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defineResource, defineTool, ToolError } from 'helve'
import type { IdentifiedCaller } from '../../../src/auth/custom.ts'
import type { Made } from '../../spec/registry.ts'
import { url, type Reply } from '../../spec/server.ts'
import {
  everybody,
  isHit,
  makeThings,
  modes,
  nobody,
  people,
  runsOf,
  serve,
  things,
  toComparable,
  withoutOwn,
  type Thing,
} from './crossing-stage.ts'

// server/utilities/caching, "Cacheable Results", "Freshness Calculation" and "Interaction with
// Notifications": what is never kept, and how what is kept ends

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

const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
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

/** A tool, a resource and a list, whose answers are up to a test. */
function makeUps(answer: () => string | null): Readonly<Record<string, Made>> {
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

const asked: readonly [string, Pick<Thing, 'method' | 'params'>][] = [
  ['a tool', { method: 'tools/call', params: { name: 'tool' } }],
  ['a resource', { method: 'resources/read', params: { uri: 'it://page', name: 'it://page' } }],
  ['a list', { method: 'resources/list', params: {} }],
]
const lists = { cache: { lists: '1m', stale: '1m' } } as const
const all = modes.flatMap((mode) => asked.map(([name, thing]) => [mode, name, thing] as const))

describe.each(all)('with cache: %j, %s', (mode, _name, thing) => {
  test.each(failures)('that comes to %s is not stored', async (_what, failing) => {
    let answer = failing
    const server = serve(
      mode,
      makeUps(() => answer()),
      lists,
    )
    const uncached = serve(false, makeUps(failing), lists)
    const expected = mask(await uncached.ask(thing, nobody))
    const [first, second] = [await server.ask(thing, nobody), await server.ask(thing, 'ada-1')]
    expect(mask(first)).toEqual(expected)
    expect(mask(second)).toEqual(expected)
    for (const { headers } of [first, second]) expect(headers.get('Cache-Control')).toBe('no-store')
    expect(errorIdsOf(first).filter((id) => errorIdsOf(second).includes(id))).toEqual([])
    // and hides no success
    answer = () => 'run-1'
    const third = await server.ask(thing, nobody)
    expect([runsOf(third), isHit(third)]).toEqual(['run-1', false])
    answer = failing
    expect(runsOf(await server.ask(thing, nobody))).toBe('run-1')
    expect(server.edge.log.filter(({ status }) => status === 'HIT').length).toBeLessThan(2)
  })

  test('is as fresh as it was made, and no longer', async () => {
    let runs = 0
    const server = serve(
      mode,
      makeUps(() => `run-${(runs += 1)}`),
      { cache: { lists: '1m' } },
    )
    const times: unknown[] = []
    for (const seconds of [0, 1, 28.9, 29.1, 0.9]) {
      pass(seconds)
      // oxlint-disable-next-line no-await-in-loop -- time passes in one direction
      const reply = await server.ask(thing, nobody)
      const { ttlMs = null } = reply.body.result
      times.push([runsOf(reply), isHit(reply), ttlMs])
    }
    const ttls = thing.method === 'tools/call' ? [] : [60_000, 59_000, 31_000, 1_000, 1_000]
    const hits = [false, true, true, true, true]
    expect(times).toEqual(hits.map((hit, index) => ['run-1', hit, ttls[index] ?? null]))
  })

  test('that is stale will do while a new one is made, and never says that it is fresh', async () => {
    let runs = 0
    const server = serve(
      mode,
      makeUps(() => `run-${(runs += 1)}`),
      lists,
    )
    await server.ask(thing, nobody)
    pass(90)
    const stale = await server.ask(thing, nobody)
    expect(runsOf(stale)).toBe('run-1')
    expect([stale.body.result.ttlMs ?? 0, stale.headers.get('Cache-Control')]).toEqual([
      0,
      'no-store',
    ])
    await server.edge.settled()
    await turn()
    const renewed = await server.ask(thing, nobody)
    expect([runsOf(renewed), isHit(renewed)]).toEqual(['run-2', true])
    pass(121)
    expect(runsOf(await server.ask(thing, nobody))).toBe('run-3')
  })

  test.each(failures.slice(0, 2))(
    'that comes to %s when it is stale is still sent',
    async (_what, failing) => {
      let answer: () => string | null = () => 'run-1'
      const server = serve(
        mode,
        makeUps(() => answer()),
        lists,
      )
      await server.ask(thing, nobody)
      answer = failing
      pass(90)
      expect(runsOf(await server.ask(thing, nobody))).toBe('run-1')
      await server.edge.settled()
      await turn()
      pass(61)
      // but not for ever
      expect(runsOf(await server.ask(thing, nobody))).toBe('')
    },
  )

  test('of another deploy is made anew', async () => {
    let runs = 0
    const made = makeUps(() => `run-${(runs += 1)}`)
    const server = serve(mode, made, lists)
    await server.ask(thing, nobody)
    // the platform tells deploys apart, or else the version does
    server.edge.deploy('v2')
    const next = mode === 'colo' ? serve(mode, made, lists) : server
    expect(runsOf(await next.ask(thing, nobody))).toBe('run-2')
    server.edge.deploy('v1')
    expect(runsOf(await server.ask(thing, nobody))).toBe('run-1')
  })
})

/** A reply without its error id, of which no two have the same. */
function mask(reply: Reply) {
  return JSON.stringify(toComparable(reply)).replaceAll(uuid, 'an id')
}

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g
const errorIdsOf = ({ text }: Reply): readonly string[] => withoutOwn(text).match(uuid) ?? []

describe.each(modes)('with cache: %j', (mode) => {
  test('a caller whose scopes are gone gets nothing, although it is kept', async () => {
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
    const never = await Promise.all(hidden.map((thing) => server.ask(thing, nobody)))
    expect(unknown.map(({ body }) => body.error)).toEqual(never.map(({ body }) => body.error))
    const rows = await server.ask(toThing('a list with guarded and shared rows'), 'ada-1')
    expect(rows.text).not.toMatch(/it:\/\/(?:guarded|concealed)/)
    delete known['ada-1']
    const refused = await server.ask(toThing('a private resource'), 'ada-1')
    expect([refused.status, runsOf(refused)]).toEqual([401, ''])
  })

  test('documents show what nobody in particular may see, whoever asks first', async () => {
    for (const who of everybody) {
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

  test('a document is refused to credentials that are not good', async () => {
    const reply = await serve(mode).send(toGet('tools', 'stolen'))
    expect([reply.status, reply.headers.get('Cache-Control')]).toEqual([401, 'no-store'])
  })

  test('a purge reaches what it names, and nothing else', async () => {
    const server = serve(mode)
    const purge = server.worker.purge(server.context()[1].exports)
    const names = Object.keys(things)
    const runs = async () => {
      const replies = await Promise.all(names.map((name) => server.ask(toThing(name), 'ada-1')))
      const found = replies.map(runsOf)
      return new Map(names.map((name, index) => [name, found[index]]))
    }
    let before = await runs()
    const changed = async (what: Parameters<typeof purge>[0]): Promise<readonly string[]> => {
      pass(0.001)
      await purge(what)
      pass(0.001)
      const after = await runs()
      const different = names.filter((name) => before.get(name) !== after.get(name))
      before = after
      return different
    }
    expect(await changed({ tools: ['ours'] })).toEqual(['a shared tool'])
    expect(await changed({ resources: ['it://shared'] })).toEqual(['a shared resource'])
    expect(await changed({ resources: ['it://shared/{id}'] })).toEqual(['a shared template'])
    expect(await changed({ resources: ['it://private/1'] })).toEqual(['a private template'])
    expect(await changed({ resources: ['it://private/2'] })).toEqual([])
    expect(await changed({ lists: true })).toEqual(['a list with guarded and shared rows'])
    expect(await changed({ tools: 'all' })).toEqual(names.filter((name) => name.includes('tool')))
    expect(await changed('everything')).toEqual(names)
  })

  test('notify purges what it tells of, for every caller, before it tells', async () => {
    const server = serve(mode)
    const ask = (who: string) => server.ask(toThing('a private resource'), who).then(runsOf)
    const askAll = () => Promise.all(['ada-1', 'bob-1', 'bob-2'].map(ask))
    const told: string[][] = []
    // whoever is told comes at once
    const publish = async (): Promise<void> => {
      pass(0.001)
      told.push(await askAll())
    }
    const Hub = Object.assign(() => {}, { getByName: () => ({ publish }) })
    const { Listings } = Object(server.context()[1].exports)
    const notify = server.worker.notify({ Listings, Hub })
    expect(await askAll()).toEqual(['run-1', 'run-2', 'run-3'])
    pass(0.001)
    await notify.resourceUpdated('it://other')
    await notify.resourcesChanged()
    await notify.toolsChanged()
    await notify.resourceUpdated('it://private')
    const same = ['run-1', 'run-2', 'run-3']
    expect(told).toEqual([same, same, same, ['run-4', 'run-5', 'run-6']])
    // a purge that is refused keeps nobody from being told
    server.edge.refusePurges([{ code: 1, message: 'Too many.' }])
    await notify.resourceUpdated('it://private')
    expect(told).toHaveLength(5)
  })
})

function toThing(name: string): Thing {
  const thing = things[name]
  if (thing === undefined) throw new Error(`There is no ${name}.`)
  return thing
}

function toGet(name: string, who: string, headers: Readonly<Record<string, string>> = {}): Request {
  const credentials = who === nobody ? {} : { Authorization: `Bearer ${who}` }
  return new Request(`${url}/${name}`, {
    headers: { Cookie: `session=secret-${who}`, ...credentials, ...headers },
  })
}

function checkDocument({ headers }: Reply): string | null {
  expect(headers.get('Set-Cookie')).toBeNull()
  return headers.get('Cache-Control')
}

test.each(modes)('with cache: %j a hit counts like any other call', async (mode) => {
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
  // and is nobody else's
  expect(runsOf(await server.ask(thing, 'cyd-1'))).toBe('run-1')
})

test('a service binding that asks for what is none of ours gets nothing, and stores nothing', async () => {
  const server = serve('workers')
  await server.ask(toThing('a shared tool'), nobody)
  const listings = (props: unknown) => Object(server.context()[1].exports).Listings({ props })
  const strays: readonly [unknown, string][] = [
    [{}, '/'],
    [{}, '/tools/list'],
    [{}, '/tools/call'],
    [{}, '/tools/call?name=ours'],
    [{}, '/tools/call?name=ours&arguments='],
    [{}, '/tools/call?name=ours&arguments=[]'],
    [{}, '/tools/call?name=ours&arguments=null'],
    [{}, '/tools/call?name=none&arguments={}'],
    [{}, '/tools/call?name=__proto__&arguments={}'],
    [{}, '//tools/call?name=ours&arguments={}'],
    [{}, '/tools/call/?name=ours&arguments={}'],
    [{}, '/TOOLS/CALL?name=ours&arguments={}'],
    [{}, '/resources/read'],
    [{}, '/resources/read?uri=it://none'],
    [{}, '/resources/read?uri=it://rows/1'],
    [{}, '/resources/read?URI=it://shared'],
    [null, '/resources/read?uri=it://private'],
    [{ caller: 'ada' }, '/resources/read?uri=it://private'],
    [{ caller: { subject: 'ada' } }, '/resources/read?uri=it://private'],
    [{ caller: [] }, '/resources/read?uri=it://private'],
    [{ visible: 'it://concealed' }, '/resources/list'],
    [{ visible: [1] }, '/resources/list'],
  ]
  for (const [props, path] of strays) {
    for (const turn of [1, 2]) {
      // oxlint-disable-next-line no-await-in-loop -- the second would find what the first left
      const response: Response = await listings(props).fetch(`https://any.host${path}`)
      const found = [turn, path, response.status, response.headers.get('Cf-Cache-Status')]
      expect(found).toEqual([turn, path, 404, 'BYPASS'])
      // oxlint-disable-next-line no-await-in-loop
      expect(await response.text()).toBe('')
    }
  }
})
