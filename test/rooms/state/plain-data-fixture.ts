import * as z from 'zod'
import { defineHandle } from '../../../src/define/handle.ts'

class Teapot {
  readonly lid = 'on'
}

/** Values that are not plain data, by their description in errors. */
export const notPlain: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['a function', () => () => 1],
  ['a function at pour', () => ({ pour: () => 1 })],
  // oxlint-disable-next-line unicorn/no-thenable -- this is why
  ['a function at then', () => ({ then: (tell: (value: number) => void) => tell(7) })],
  ['a symbol', () => Symbol('tea')],
  ['a symbol at cups[1]', () => ({ cups: [1, Symbol('tea')] })],
  ['an instance of Promise', () => Promise.resolve(1)],
  ['an instance of Promise at p', () => ({ p: Promise.resolve(1) })],
  ['an instance of Teapot', () => new Teapot()],
  ['an instance of Teapot at value.value', () => new Map([['pot', new Set([new Teapot()])]])],
  ['an instance of TypeError', () => new TypeError('cold')],
  ['an instance of RegExp', () => /tea/],
  ['an instance of Number', () => Object(3)],
  ['an instance of Response', () => new Response('tea')],
  ['an instance of ReadableStream', () => new ReadableStream()],
  ['an instance of Iterator', () => ['tea'].values()],
  ['an object that is not plain', () => Object.create(Object.create(null))],
  ['more than 31 MiB', () => 'a'.repeat(40 * 1024 * 1024)],
  ['more than 500 levels', () => deepen(501)],
])

/** Arrays in arrays. */
export function deepen(levels: number): unknown {
  return Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 0)
}

const state = z.object({ count: z.number() })

/** Its verbs count, and then return what they should not. */
export const parcel = defineHandle({
  name: 'parcel',
  prefix: 'pcl',
  idle: '1h',
  perCaller: 100,
  state,
  start: (first: unknown) =>
    first === 'unfit' ? { count: 0, p: Promise.resolve() } : { count: 0 },
  verbs: {
    count: (state) => state.count,
    take(state, what: unknown) {
      state.count += 1
      return typeof what
    },
    give(state, what: string) {
      state.count += 1
      return notPlain.get(what)?.()
    },
  },
  tables: 'CREATE TABLE IF NOT EXISTS gift (what TEXT NOT NULL)',
  sql: {
    record(sql, state, what: string) {
      state.count += 1
      sql.exec('INSERT INTO gift VALUES (?)', what)
      return notPlain.get(what)?.()
    },
    gifts: (sql) => sql.exec('SELECT * FROM gift').toArray().length,
  },
})

/** Its schema converts stored text to a date. */
export const safe = defineHandle({
  name: 'safe',
  prefix: 'saf',
  idle: '1h',
  state: z.object({ made: z.coerce.date() }),
  start: () => ({ made: new Date(0) }),
  verbs: {},
})

/** Its schema creates what cannot cross RPC. */
export const kettle = defineHandle({
  name: 'kettle',
  prefix: 'ket',
  idle: '1h',
  state: z.object({ pot: z.unknown().transform(() => new Teapot()) }),
  start: () => ({ pot: 'black' }),
  verbs: {},
})
