import * as z from 'zod'
import { defineHandle } from '../../src/define/handle.ts'
import {
  type HandleReader,
  type HandleStub,
  type Handles,
  type OpenedHandles,
  type ReadableHandles,
  optional,
} from '../../src/define/handles.ts'

/* Compiled and never run: what must compile does, and what must not is marked. */

const item = z.object({ sku: z.string(), price: z.number() })

const basket = defineHandle({
  name: 'basket',
  prefix: 'bsk',
  idle: '24h',
  max: '30d',
  state: z.object({ currency: z.string(), items: z.array(item).default([]) }),
  start: (currency: string) => ({ currency }),
  verbs: {
    add(state, entry: z.infer<typeof item>) {
      state.items.push(entry)
      return state.items.length
    },
    total: (state) => state.items.reduce((sum, { price }) => sum + price, 0),
  },
})

const diary = defineHandle({
  name: 'diary',
  scope: 'caller',
  idle: '30d',
  max: '365d',
  state: z.object({ entries: z.number() }),
  start: () => ({ entries: 0 }),
  verbs: { count: (state) => state.entries },
  tables: 'CREATE TABLE IF NOT EXISTS entry (text TEXT NOT NULL)',
  sql: {
    write(sql, state, text: string) {
      sql.exec('INSERT INTO entry VALUES (?)', text)
      state.entries += 1
    },
  },
})

export async function createsAndUses(handles: Handles): Promise<void> {
  const created = await handles.create(basket, 'EUR')
  const id: string = created.id
  const count: number = await created.add({ sku: 'a', price: 1 })
  const total: number = await created.total()
  const { items } = await handles.read(basket, id)
  const first: string | undefined = items[0]?.sku
  await handles.open(basket, id).end()
  void [count, total, first]

  // @ts-expect-error start wants a currency
  await handles.create(basket)
  // @ts-expect-error and it is text
  await handles.create(basket, 7)
  // @ts-expect-error a basket is opened by its id
  handles.open(basket)
  // @ts-expect-error an item has a price
  await created.add({ sku: 'a' })
  // @ts-expect-error total takes nothing
  await created.total('EUR')
  // @ts-expect-error there is no such verb
  await created.empty()
  // @ts-expect-error a result is a promise of the verb's result
  const wrong: Promise<string> = created.total()
  void wrong
}

export async function usesTheCallersOwn(handles: Handles): Promise<void> {
  const mine = handles.open(diary)
  await mine.write('Rain.')
  const count: number = await mine.count()
  const { entries } = await handles.read(diary)
  void [count, entries]

  // @ts-expect-error each caller has one, so it is not created
  await handles.create(diary)
  // @ts-expect-error nor has it an id
  handles.open(diary, 'x')
  // @ts-expect-error nor has it an id
  void mine.id
  // @ts-expect-error nor is there a list
  await handles.list(diary)
  // @ts-expect-error the text is text
  await mine.write(7)
}

const uses = { basket, diary, other: optional(basket) }

export async function runsAndAsks(
  use: OpenedHandles<typeof uses>,
  asking: ReadableHandles<typeof uses>,
): Promise<void> {
  const total: number = await use.basket.total()
  const other: number | undefined = await use.other?.total()
  const read = await asking.basket.read()
  const own: number = (await asking.diary.read()).entries
  void [total, other, own]

  // @ts-expect-error an optional handle may be missing
  await use.other.total()
  // @ts-expect-error no verbs while asking
  await asking.basket.total()
  // @ts-expect-error nor may asking end it
  await asking.basket.end()
  // @ts-expect-error what is read is a copy, and changing it changes nothing
  read.items = []
}

export const stub: HandleStub<typeof basket> | null = null
export const reader: HandleReader<typeof basket> | null = stub

const nothing = { idle: '1h', state: z.object({}), start: () => ({}), verbs: {} } as const

// @ts-expect-error an id needs a prefix
export const noPrefix = defineHandle({ name: 'a', ...nothing })

export const limitless = defineHandle({
  name: 'a',
  scope: 'caller',
  // @ts-expect-error each caller has one: a number of them makes no sense
  perCaller: 3,
  ...nothing,
})

export const wrongStart = defineHandle({
  name: 'a',
  prefix: 'aa',
  idle: '1h',
  state: z.object({ n: z.number() }),
  // @ts-expect-error the first state must fit
  start: () => ({ n: 'one' }),
  verbs: {},
})

const counter = {
  name: 'a',
  prefix: 'aa',
  idle: '1h',
  state: z.object({ n: z.number(), rest: z.unknown() }),
  start: () => ({ n: 1, rest: null }),
} as const

export const unknowing = defineHandle({ ...counter, verbs: { look: (state) => state.rest } })

export const asynchronous = defineHandle({
  ...counter,
  verbs: {
    // @ts-expect-error verbs are synchronous
    async wait(state) {
      await Promise.resolve(state.n)
    },
    add: (state, by: number) => state.n + by,
  },
})

export const promising = defineHandle({
  ...counter,
  verbs: {
    // @ts-expect-error nor may one promise at times
    maybe: (state) => (state.n > 1 ? state.n : Promise.resolve(state.n)),
  },
})

export const asynchronousSql = defineHandle({
  ...counter,
  verbs: {},
  tables: '',
  sql: {
    // @ts-expect-error nor those with a database
    async wait(sql, state) {
      await Promise.resolve(sql.exec('SELECT ?', state.n))
    },
  },
})
