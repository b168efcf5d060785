import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineTool, type Tool } from '../../../../src/define/tool.ts'
import { defineHandle } from '../../../../src/define/handle.ts'
import { optional } from '../../../../src/define/handles.ts'
import { toToolEntry, toToolListing } from '../../../../src/build/entries/tool-entry.ts'
import { readParamHeaders } from '../../../../src/build/schema/param-headers.ts'

const creatorOf = (): string => 'create_basket'
const basket = defineHandle({
  name: 'basket',
  prefix: 'bsk',
  idle: '24h',
  state: z.object({}),
  start: () => ({}),
  verbs: {},
})

test('lists all members of a tool, in one order', () => {
  const tool = defineTool({
    hints: { openWorld: false, readOnly: true },
    output: z.object({ greeting: z.string() }),
    input: { type: 'object', properties: { who: { type: 'string' } } },
    icons: [{ src: 'https://example.com/wave.svg' }],
    title: 'Hello',
    description: 'Says hello.',
    timeout: '5s',
    run: () => ({ greeting: 'hello' }),
  })
  expect(JSON.stringify(toToolListing('hello', tool, { creatorOf }))).toBe(
    '{"name":"hello","title":"Hello","description":"Says hello.",' +
      '"icons":[{"src":"https://example.com/wave.svg"}],' +
      '"inputSchema":{"type":"object","properties":{"who":{"type":"string"}}},' +
      '"outputSchema":{"type":"object","properties":{"greeting":{"type":"string"}},' +
      '"required":["greeting"],"additionalProperties":false},' +
      '"annotations":{"readOnlyHint":true,"openWorldHint":false}}',
  )
})

test('lists a tool without input with an empty object', () => {
  const tool = defineTool({ description: 'Says hello.', run: () => 'hello' })
  expect(toToolListing('hello', tool, { creatorOf })).toEqual({
    name: 'hello',
    description: 'Says hello.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  })
})

test('lists the ids of handles, with the tool that creates them, before a tool’s own arguments', () => {
  const tool = defineTool({
    description: 'Adds an item.',
    uses: { basket, other: optional(basket) },
    input: z.strictObject({ sku: z.string().meta({ 'x-mcp-header': 'Sku' }) }),
    run: () => 'added',
  })
  const { inputSchema } = toToolListing('add_item', tool, { creatorOf })
  const id = { type: 'string', description: expect.stringContaining('as create_basket returned') }
  expect(inputSchema).toEqual({
    type: 'object',
    properties: { basket: id, other: id, sku: { type: 'string', 'x-mcp-header': 'Sku' } },
    required: ['basket', 'sku'],
    additionalProperties: false,
  })
  expect(readParamHeaders(inputSchema).headers).toEqual([{ name: 'Sku', path: ['sku'] }])
})

test('prints a schema that has no printer with the printer of the project', () => {
  const mute = { version: 1, vendor: 'mute', validate: (value: unknown) => ({ value }) } as const
  const tool = defineTool({
    description: 'Says hello.',
    input: { '~standard': mute },
    run: () => 'hello',
  })
  const printed = { type: 'object', title: 'printed' }
  const printOther = () => () => printed
  expect(toToolListing('hello', tool, { creatorOf, printOther }).inputSchema).toEqual({
    ...printed,
    properties: {},
  })
  expect(() => toToolListing('hello', tool, { creatorOf })).toThrow('cannot print itself')
})

test('a union as input requires the ids of handles beside the arguments of each form', () => {
  const tool = defineTool({
    description: 'Changes a basket.',
    uses: { basket },
    input: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('add'), sku: z.string() }),
      z.strictObject({ kind: z.literal('clear') }),
    ]),
    run: () => 'changed',
  })
  const { inputSchema } = toToolListing('change', tool, { creatorOf })
  expect(inputSchema).toMatchObject({
    type: 'object',
    properties: { basket: { type: 'string' } },
    required: ['basket'],
    oneOf: [{ properties: { basket: true, kind: {} } }, { properties: { basket: true } }],
  })

  const clashing = defineTool({
    description: 'Changes a basket.',
    input: z.union([z.object({ basket: z.string() }), z.object({ sku: z.string() })]),
    uses: { basket },
    run: () => 'changed',
  })
  expect(() => toToolListing('change', clashing, { creatorOf })).toThrow(
    '`input` has "basket", and `uses` adds an argument of the same name',
  )
})

test('a header of one form of a union is refused, since clients cannot find it', () => {
  const tool = defineTool({
    description: 'Searches.',
    input: z.union([
      z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
      z.object({}),
    ]),
    run: () => 'found',
  })
  const { inputSchema } = toToolListing('search', tool, { creatorOf })
  expect(readParamHeaders(inputSchema).problems).toEqual([
    expect.stringContaining('at #/anyOf/0/properties/region cannot be mirrored'),
  ])
})

const common = { description: 'Searches.', hints: { readOnly: true }, run: () => 'found' } as const

function entryOf(tool: Tool): ReturnType<typeof toToolEntry>['entry'] {
  return toToolEntry('search', tool, { creatorOf: () => null }).entry
}

test('results are not cached by default', () => {
  expect(entryOf(defineTool(common)).cache).toBeNull()
})

test.each([
  ['for each caller alone', { cache: '5m' }, { ttlMs: 300_000, staleMs: 0, shared: false }],
  [
    'for all callers',
    { cache: '1h', shared: true },
    { ttlMs: 3_600_000, staleMs: 0, shared: true },
  ],
  [
    'for each caller, with `shared: false`',
    { cache: '1s', shared: false },
    { ttlMs: 1_000, staleMs: 0, shared: false },
  ],
  [
    'with a time for stale results',
    { cache: '90s', stale: '10m' },
    { ttlMs: 90_000, staleMs: 600_000, shared: false },
  ],
] as const)('results are cached %s', (_, members, cache) => {
  expect(entryOf(defineTool({ ...common, ...members })).cache).toEqual(cache)
})

test('the list does not mention caching', () => {
  const kept = entryOf(defineTool({ ...common, cache: '5m', stale: '1m', shared: true }))
  expect(kept.listed).toBe(entryOf(defineTool(common)).listed)
})
