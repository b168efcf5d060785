import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startGuarded, type Guarded, type GuardedCaller } from '../support/guarded.ts'
import {
  type Grant,
  grants,
  listThings,
  lists,
  things,
  toEnd,
  toExpected,
  toUri,
  uses,
} from '../support/guarded-matrix.ts'
import { openCall } from '../support/open-call.ts'

/*
 * Who may see and do what: every caller with every thing in every way, against one table. The server
 * lets in who brings no token, so that nobody in particular is one of the callers.
 */
let app: Guarded
let everyone: readonly { readonly grant: Grant; readonly who: GuardedCaller }[]
beforeAll(async () => {
  app = await startGuarded({ optional: true })
  everyone = await Promise.all(
    grants.map(async (grant, index) => {
      const { scopes } = grant
      const who = scopes === null ? app.nobody : await app.caller(`caller ${index}`, scopes)
      return { grant, who }
    }),
  )
}, 90_000)
afterAll(() => app.stop())

const rows = grants.map((grant, index) => [grant.scopes ?? 'no token', index] as const)

function find(index: number): (typeof everyone)[number] {
  const found = everyone[index]
  if (found === undefined) throw new RangeError(`There is no caller ${index}.`)
  return found
}

/** The names of the things that a caller may use, by the table. */
function toAllowed(grant: Grant): readonly string[] {
  return things.filter((thing) => toExpected(thing, grant) === 'done').map(({ name }) => name)
}

describe.each(rows)('with the scopes "%s"', (_, index) => {
  it.each(Object.entries(uses))('%s has the outcome in the table', async (_, use) => {
    const { grant, who } = find(index)
    const ends = await Promise.all(
      things.map(async ({ name }) => [name, toEnd(await use(who, name))]),
    )
    expect(ends).toEqual(things.map((thing) => [thing.name, toExpected(thing, grant)]))
  })

  it.each(Object.keys(lists))('%s lists exactly what this caller may use', async (list) => {
    const { grant, who } = find(index)
    expect(await listThings(who, list)).toEqual(toAllowed(grant))
  })

  it('subscriptions/listen acknowledges and sends only what the caller may read', async () => {
    const { grant, who } = find(index)
    const uris = things.map(({ name }) => toUri(name))
    const notifications = { resourceSubscriptions: uris }
    const changes = { id: index, headers: who.headers }
    const open = await openCall(app.endpoint, 'subscriptions/listen', { notifications }, changes)
    const allowed = toAllowed(grant).map(toUri)
    await vi.waitUntil(() => open.messages().length === 1, 15_000)
    expect(open.messages()).toMatchObject([
      { params: { notifications: { resourceSubscriptions: allowed } } },
    ])
    await who.call('touch', { uris: uris.toReversed() })
    const heard = (): string[] => open.messages().slice(1).map(toUpdatedUri).toSorted()
    await vi.waitUntil(() => heard().length >= allowed.length, 15_000)
    expect(heard()).toEqual(allowed.toSorted())
    open.leave()
  })
})

it('a concealed entry gets the same reply as an unknown one', async () => {
  const who = await app.caller('curious', 'a b')
  const texts = (name: string) =>
    Promise.all(Object.values(uses).map(async (use) => (await use(who, name)).text))
  const never = await texts('never_was')
  expect(await texts('concealed')).toEqual(
    never.map((text) => text.replaceAll('never_was', 'concealed')),
  )
})

/*
 * The leak test. Lists are printed once for several callers and kept, so that what one caller was shown
 * may never be shown to another: for every pair, in every order, and both at once.
 */
it.each(Object.entries(lists))(
  '%s never lists what %s then refuses, whoever asked before',
  async (list, use) => {
    const usable = await Promise.all(everyone.map(({ who }) => findUsable(who, use)))
    const pairs = everyone.flatMap((_, one) => everyone.map((_, other) => [one, other] as const))
    for (const [one, other] of pairs) {
      const asked = [one, other]
      // oxlint-disable-next-line no-await-in-loop -- the order is what is tested
      for (const index of asked) expectNoLeak(await listThings(find(index).who, list), index)
      // oxlint-disable-next-line no-await-in-loop
      const atOnce = await Promise.all(asked.map((index) => listThings(find(index).who, list)))
      atOnce.forEach((seen, at) => expectNoLeak(seen, asked[at] ?? one))
    }

    function expectNoLeak(seen: readonly string[], index: number): void {
      expect(usable[index]).toEqual(expect.arrayContaining([...seen]))
      expect(seen).toContain('open')
    }
  },
  60_000,
)

/** The things that a caller can use indeed: it tries them all. */
async function findUsable(who: GuardedCaller, use: string): Promise<readonly string[]> {
  const tried = await Promise.all(
    things.map(async ({ name }) => {
      const reply = await uses[use]?.(who, name)
      return reply !== undefined && toEnd(reply) === 'done' ? [name] : []
    }),
  )
  return tried.flat()
}

function toUpdatedUri(message: unknown): string {
  const { params }: ReturnType<typeof JSON.parse> = message
  return String(params.uri)
}
