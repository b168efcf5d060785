import * as z from 'zod'
import type { HandleEntry } from '../../../src/define/handle-kind.ts'
import { defineHandle } from '../../../src/define/handle.ts'
import { ToolError } from '../../../src/define/reply.ts'
import { WorkerLog } from '../../../src/out/log.ts'
import { createSanitizer } from '../../../src/out/sanitizer.ts'
import { createHandlesClass } from '../../../src/objects/handles-object.ts'
import { kettle, parcel, safe } from './plain-data-fixture.ts'

const item = z.object({ sku: z.string(), price: z.number() })

/** Must not leave an object in an error. */
const secret = 'hunter2-hunter2'

/** The plain case. Its verbs also do what verbs should not. */
export const basket = defineHandle({
  name: 'basket',
  prefix: 'bsk',
  idle: '24h',
  max: '30d',
  state: z.object({ currency: z.string(), items: z.array(item).default([]) }),
  start(currency: string) {
    if (currency.length !== 3) throw new ToolError('A currency has three letters.')
    return { currency }
  },
  verbs: {
    add(state, entry: z.infer<typeof item>) {
      state.items.push(entry)
      return state.items.length
    },
    total: (state) => state.items.reduce((sum, { price }) => sum + price, 0),
    refuse(state) {
      state.items = []
      throw new ToolError('This basket is closed.')
    },
    fail(state) {
      state.items = []
      const cause = new RangeError(`refused ${secret}`)
      throw Object.assign(new TypeError(`the password is ${secret}`, { cause }), { status: 401 })
    },
    failPlainly() {
      // oxlint-disable-next-line typescript/only-throw-error -- authors may throw anything
      throw { code: 7, password: secret }
    },
    spoil(state) {
      state.items.push({ sku: 'x', price: Number.NaN })
    },
    rename(state, currency: string) {
      state.currency = currency
    },
  },
})

/** Lives for a second without use, and for three in all. */
export const blink = defineHandle({
  name: 'blink',
  prefix: 'blk',
  idle: '1s',
  max: '3s',
  state: z.object({ count: z.number() }),
  start: () => ({ count: 0 }),
  verbs: { bump: (state) => (state.count += 1), look: (state) => state.count },
})

/** The states that `onExpire` got, whether it fails, and what it waits for. */
export const farewells: number[] = []
export const farewell = { fails: false, until: Promise.resolve() }

async function bidFarewell(state: number): Promise<void> {
  farewells.push(state)
  await farewell.until
  if (farewell.fails) throw new Error('The post office is closed.')
}

export const letter = defineHandle({
  name: 'letter',
  prefix: 'ltr',
  idle: '1h',
  state: z.object({ stamp: z.number() }),
  start: (stamp: number) => ({ stamp }),
  verbs: {},
  onExpire: ({ state }) => bidFarewell(state.stamp),
})

/** At most three for each caller. */
export const box = defineHandle({
  name: 'box',
  prefix: 'box',
  idle: '1h',
  perCaller: 3,
  state: z.object({ count: z.number() }),
  start(count: number) {
    if (count < 0) throw new ToolError('Nothing is below zero.')
    return { count }
  },
  verbs: { bump: (state) => (state.count += 1) },
})

/** One for each caller, with rows of its own. */
export const diary = defineHandle({
  name: 'diary',
  scope: 'caller',
  idle: '1h',
  state: z.object({ entries: z.number() }),
  start: () => ({ entries: 0 }),
  verbs: { count: (state) => state.entries },
  tables: 'CREATE TABLE IF NOT EXISTS entry (text TEXT NOT NULL)',
  sql: {
    write(sql, state, text: string) {
      sql.exec('INSERT INTO entry VALUES (?)', text)
      state.entries += 1
      if (text === '') throw new ToolError('An entry has words.')
    },
    all: (sql) =>
      sql
        .exec<{ text: string }>('SELECT text FROM entry')
        .toArray()
        .map(({ text }) => text),
  },
  onExpire: ({ state }) => bidFarewell(state.entries),
})

/** Whatever a verb puts into it. */
export const bag = defineHandle({
  name: 'bag',
  prefix: 'bag',
  idle: '1h',
  state: z.object({ things: z.unknown() }),
  start: () => ({ things: null }),
  verbs: {
    put(state, things: unknown) {
      state.things = things
    },
    putCircle(state) {
      state.things = { state }
    },
    look: ({ things }) => things,
  },
})

/** Must be stored and run in the EU. */
export const dossier = defineHandle({
  name: 'dossier',
  prefix: 'dos',
  idle: '1h',
  jurisdiction: 'eu',
  state: z.object({}),
  start: () => ({}),
  verbs: { look: () => 'there' },
})

const first = defineHandle({
  name: 'note',
  prefix: 'note',
  idle: '1h',
  state: z.object({ text: z.string() }),
  start: (text: string) => ({ text }),
  verbs: { get: (state) => state.text },
})

/** The same kind in a later version of the server, with a member that has a default. */
const second = defineHandle({
  name: 'note',
  prefix: 'note',
  idle: '2h',
  state: z.object({ text: z.string(), tags: z.array(z.string()).default(['plain']) }),
  start: (text: string) => ({ text }),
  verbs: { get: (state) => `${state.text} [${state.tags.join()}]` },
})

/** The same kind in a version that cannot read what the others stored. */
const third = defineHandle({
  name: 'note',
  prefix: 'note',
  idle: '1h',
  state: z.object({ text: z.number() }),
  start: () => ({ text: 0 }),
  verbs: { get: (state) => String(state.text) },
})

export const note = first
const versions = [first, second, third] as const

/** The version of `note` that is deployed. */
export const deployed: { version: 0 | 1 | 2; hasNotes: boolean } = { version: 0, hasNotes: true }

const fixed = [basket, bag, blink, letter, box, diary, dossier, parcel, safe, kettle]

export const Handles = createHandlesClass(
  [
    ...fixed.map((kind): HandleEntry => ({
      name: kind.name,
      load: async () => ({ default: kind }),
    })),
    { name: 'note', load: async () => ({ default: versions[deployed.version] }) },
  ],
  () => new WorkerLog(createSanitizer([secret])),
)
