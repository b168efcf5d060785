import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type Check, createCheck } from '../../src/schema/check.ts'
import '../../src/schema/json-schema/register.ts'
import type { JsonSchema, Schema, StandardSchema } from '../../src/schema/standard-schema.ts'

const shared: z.ZodType = z.lazy(() =>
  z.union([z.object({ a: shared }), z.object({ a: shared, b: z.string() })]),
)
const lists: z.ZodType = z.lazy(() =>
  z.union([z.array(lists), z.tuple([lists]), z.object({ a: z.array(lists) })]),
)
const enumOf = (count: number): string[] => many(count, (index) => `value ${index}`)
const doubled = z.array(z.union([shared, z.enum(enumOf(200)), z.record(z.string(), z.null())]))

const unknownKeys = {
  message: 'Invalid input',
  code: 'unrecognized_keys',
  keys: enumOf(100_000),
}
const endless: Issue = { message: 'Invalid input', code: 'invalid_union', path: ['a'], errors: [] }
endless.errors?.push([endless, endless], [endless, endless])

const branch = (name: string): JsonSchema => ({
  required: [name],
  properties: { next: { $ref: '#/$defs/node' } },
})
const doubling = { $ref: '#/$defs/node', $defs: { node: { anyOf: [branch('a'), branch('b')] } } }
const wide = { items: { anyOf: many(40, (index) => ({ const: `c${index}` })) } }
const typed = {
  anyOf: many(6, (index) => ({ type: 'array', items: { enum: many(50, (n) => index * 50 + n) } })),
}

/** Milliseconds of the processor. */
const most = 20

const attacks: readonly [name: string, schema: Schema, value: unknown][] = [
  ['two forms that share a key, nested in 115 bytes', z.object({ q: shared }), { q: nest(18) }],
  ['the same, 60 levels deep', z.object({ q: shared }), { q: nest(60) }],
  ['lists in forms of lists', lists, many(30, () => [many(20, () => [1])])],
  ['many different unions', doubled, many(40, (index) => nest(index % 12))],
  ['2,000 unknown keys', z.strictObject({}), keys(2_000)],
  ['a key of 100,000 characters', z.record(z.string(), z.null()), { ['k'.repeat(100_000)]: 1 }],
  ['an enum of 2,000 values', z.array(z.enum(enumOf(2_000))), many(60, () => 'x')],
  ['100,000 issues', reporting(many(100_000, (path) => ({ message: 'No', path: [path] }))), {}],
  ['100,000 equal issues', reporting(many(100_000, () => ({ message: 'No' }))), {}],
  ['issues that contain themselves', reporting(many(100, () => endless)), {}],
  [
    'messages of a megabyte',
    reporting(many(50, (n) => ({ message: `${n}${'x'.repeat(1e6)}` }))),
    {},
  ],
  [
    'paths of a million steps',
    reporting(many(50, (n) => ({ message: 'No', path: Array<string>(1e6).fill(`k${n}`) }))),
    {},
  ],
  [
    '100,000 unknown keys in 100,000 options',
    reporting([
      {
        message: 'Invalid input',
        code: 'invalid_union',
        errors: many(100_000, () => [unknownKeys]),
      },
    ]),
    {},
  ],
  ['plain forms that share a key', doubling, nest(60, 'next')],
  ['plain forms that share a key, just within the bound', doubling, nest(9, 'next')],
  ['20,000 values with 40 alternatives', wide, many(20_000, (index) => index)],
  ['20,000 values, each not in six enums', typed, many(20_000, () => 'x')],
  ['40,000 values of the wrong type', { items: { type: 'string' } }, many(40_000, (n) => n)],
  [
    '90,000 items in forms that share a key',
    { $ref: '#/$defs/list', $defs: { ...doubling.$defs, list: { items: doubling } } },
    many(90_000, () => ({ x: 1 })),
  ],
  [
    '60,000 keys that no form knows',
    { anyOf: many(40, (n) => ({ properties: { [`x${n}`]: true }, additionalProperties: false })) },
    keys(60_000),
  ],
  ['missing names of many objects', { items: { required: enumOf(500) } }, many(1_000, () => ({}))],
]

describe('the sentences about a hostile value', () => {
  it.each(attacks)('take a few milliseconds and kilobytes: %s', async (_, schema, value) => {
    const check = createCheck(schema)
    expect(await timeOf(check, value, most)).toBeLessThan(most)
    const checked = await check(value)
    expect(checked.ok).toBe(false)
    const text = checked.ok ? '' : checked.problems.join(' ')
    expect(text.length).toBeGreaterThan(10)
    expect(text.length).toBeLessThan(4_200)
  })
})

interface Issue {
  readonly message: string
  readonly code?: string
  readonly path?: readonly PropertyKey[]
  readonly keys?: readonly string[]
  readonly errors?: Issue[][]
}

/** A schema of any other validator, which reports these issues about every value. */
function reporting(issues: readonly Issue[]): StandardSchema {
  return { '~standard': { version: 1, vendor: 'other', validate: () => ({ issues }) } }
}

/** Milliseconds of the processor, of the best of a few runs: a busy machine does not count. */
async function timeOf(check: Check, value: unknown, enough: number, runs = 20): Promise<number> {
  const before = process.cpuUsage()
  await check(value)
  const { user, system } = process.cpuUsage(before)
  const time = (user + system) / 1_000
  return time < enough || runs === 1 ? time : timeOf(check, value, enough, runs - 1)
}

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

function keys(count: number): Record<string, number> {
  return Object.fromEntries(many(count, (index) => [`k${index}`, index]))
}

function nest(levels: number, key = 'a'): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = { [key]: value }
  return value
}
