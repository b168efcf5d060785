import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defineTool } from 'helve'
import { type IdentifiedCaller, custom } from '../../../src/auth/custom.ts'
import { createServer, type Reply } from '../../spec/server.ts'
import {
  callers,
  isHit,
  makeThings,
  modes,
  anonymous,
  people,
  permute,
  runsOf,
  serve,
  textOf,
  things,
  toComparable,
  toldList,
  withoutOwn,
  type Mode,
  type Thing,
} from './crossing-stage.ts'

// server/utilities/caching, "Cache Scope Field": no caller gets what was computed for another one

beforeEach(() => {
  // no reply is older than another, so that all can be compared
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** One reply of a caller, and which. */
interface Got {
  readonly thing: Thing
  readonly who: string
  readonly reply: Reply
}

type Ask = (thing: Thing, who: string) => Promise<Got>

/** All things of both servers: one server has one list. */
function stage(cache: Mode | false) {
  const server = serve(cache)
  const told = serve(cache, makeThings(true))
  const ask: Ask = async (thing, who) => ({
    thing,
    who,
    reply: await (thing === toldList ? told : server).ask(thing, who),
  })
  const log = () => JSON.stringify([...server.edge.log, ...told.edge.log])
  return { ask, log }
}

const all = [...Object.values(things), toldList]

/** Asks a server without a cache, whose replies a cached reply may not differ from. */
async function learn(): Promise<(got: Pick<Got, 'thing' | 'who'>) => string> {
  const { ask } = stage(false)
  const got = await Promise.all(all.flatMap((thing) => callers.map((who) => ask(thing, who))))
  const said = new Map(got.map(({ thing, who, reply }) => [toName(thing, who), toText(reply)]))
  return ({ thing, who }) => said.get(toName(thing, who)) ?? ''
}

const toName = (thing: Thing, who: string): string => `${all.indexOf(thing)} ${who}`
const toText = (reply: Reply): string => JSON.stringify(toComparable(reply))

/** The names that this caller must not read; in a shared result, all names. */
function foreignTo({ thing, who }: Got): readonly string[] {
  const isTold = thing.madeFor === 'each caller'
  const own = isTold ? namesOf(people[who]) : []
  return Object.values(people)
    .flatMap(namesOf)
    .filter((name) => !own.includes(name))
}

function namesOf(identity: IdentifiedCaller | undefined): readonly string[] {
  return identity === undefined ? [] : [identity.subject, String(identity.claims?.['jti'])]
}

function expectOwn(got: readonly Got[], said: (got: Got) => string): void {
  expect(got.map(({ reply }) => toText(reply))).toEqual(got.map(said))
  const texts = got.map(({ reply }) => withoutOwn(reply.text))
  expect(texts.filter((text) => /secret-|aaaaaaaa/.test(text))).toEqual([])
  const leaks = got.map((one, index) =>
    foreignTo(one).filter((name) => texts[index]?.includes(name)),
  )
  expect(leaks.flat()).toEqual([])
  expectRuns(got, said)
}

/** Expects one run for all who may share a result, and no run for two groups. */
function expectRuns(got: readonly Got[], said: (got: Got) => string): void {
  for (const thing of all) {
    const answered = got.filter((one) => one.thing === thing && runsOf(one.reply) !== '')
    const groupOf = (one: Got): string =>
      ({ 'every caller': '', 'each caller': one.who, 'each set of entries': said(one) })[
        thing.madeFor
      ]
    const runs = new Map(answered.map((one) => [groupOf(one), runsOf(one.reply)]))
    expect(answered.map((one) => runs.get(groupOf(one)))).toEqual(
      answered.map(({ reply }) => runsOf(reply)),
    )
    expect(new Set(runs.values()).size).toBe(runs.size)
  }
}

describe.each(modes)('with cache: %j', (mode) => {
  test.each(callers)(
    '%s first, one after another: every caller gets its own result',
    async (first) => {
      const said = await learn()
      const orders = permute(callers).filter(([caller]) => caller === first)
      for (const [index, order] of orders.entries()) {
        const { ask, log } = stage(mode)
        // in one order all ask twice: the second time for what is cached
        const asking = index === 0 ? [...order, ...order] : order
        const askAll = async (thing: Thing): Promise<readonly Got[]> => {
          const got: Got[] = []
          // oxlint-disable-next-line no-await-in-loop -- the order is the point
          for (const who of asking) got.push(await ask(thing, who))
          return got
        }
        // oxlint-disable-next-line no-await-in-loop -- nor may a server be in the way of another
        const got = (await Promise.all(all.map(askAll))).flat()
        expectOwn(got, said)
        for (const thing of all) {
          const again = got.filter((one) => one.thing === thing).slice(order.length)
          expect(again.filter(({ reply }) => runsOf(reply) !== '' && !isHit(reply))).toEqual([])
        }
        expect(log()).not.toMatch(/secret-|Bearer|aaaaaaaa/)
      }
    },
    60_000,
  )

  test.each(callers)(
    '%s first, all at once: every caller gets its own result',
    async (first) => {
      const said = await learn()
      const orders = permute(callers).filter(([caller]) => caller === first)
      for (const order of orders) {
        const { ask } = stage(mode)
        // oxlint-disable-next-line no-await-in-loop -- a server must not be in the way of another
        const got = await Promise.all(order.flatMap((who) => all.map((thing) => ask(thing, who))))
        expect(got).toHaveLength(all.length * callers.length)
        expectOwn(got, said)
      }
    },
    60_000,
  )
})

test('an anonymous caller and a caller without scopes get different results', async () => {
  const said = await learn()
  const thing = things['a private tool'] ?? toldList
  expect(said({ thing, who: anonymous })).not.toBe(said({ thing, who: 'bob-1' }))
})

test.each(modes)(
  'with cache: %j callers who differ only in a Set of their claims are one caller to the code, too',
  async (store) => {
    const auth = custom(({ headers }) => ({
      subject: 'team',
      claims: { roles: new Set([headers.get('X-Role')]) },
    }))
    const server = createServer(
      { auth, cache: { store }, audit: false },
      {
        tell: defineTool({
          description: 'Names the roles.',
          cache: '5m',
          hints: { readOnly: true },
          run: ({ caller }) => {
            const roles = caller?.claims['roles']
            return roles instanceof Set ? [...roles].join() : 'none'
          },
        }),
      },
    )
    const call = (role: string) =>
      server.ask('tools/call', { name: 'tell' }, { headers: { 'X-Role': role } })
    // claims are what a token could carry: code must not distinguish what the key does not
    expect(textOf(await call('admin'))).toBe('none')
    expect(textOf(await call('guest'))).toBe('none')
  },
)
