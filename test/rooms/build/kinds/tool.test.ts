import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { findMemberProblems } from '../../../../src/build/kinds/members.ts'
import { describeTool, findCacheProblems, toToolRules } from '../../../../src/build/kinds/tool.ts'
import { defineHandle } from '../../../../src/define/handle.ts'
import { optional } from '../../../../src/define/handles.ts'
import { defineTool } from '../../../../src/define/tool.ts'
import { toBucketRule } from '../../../../src/objects/stored-limit.ts'
import type { JsonObject } from '../../../../src/protocol/json.ts'

const good = { description: 'Says hello.', run: () => 'hello' }
const basket = defineHandle({
  name: 'basket',
  prefix: 'bsk',
  idle: '24h',
  state: z.object({}),
  start: () => ({}),
  verbs: {},
})
/** A handle that is not the default export of any module. */
const stray = { ...basket }

function findProblems(definition: JsonObject, limits = ['CALLS']): readonly string[] {
  const context = {
    limits,
    handles: new Set([basket]),
    tools: [],
    creators: [],
    printOther: () => null,
  }
  return findMemberProblems(toToolRules(context), definition)
}

const icon = { src: 'https://shop.example/icon.png', sizes: ['48x48', 'any'], theme: 'dark' }

test.each([
  ['only the required members', {}],
  [
    'optional members',
    { title: 'Hello', icons: [icon], hints: { readOnly: true }, timeout: '20s' },
  ],
  ['members that are undefined', { title: undefined, limit: undefined, hints: undefined }],
  ['a limit that exists', { limit: 'CALLS' }],
  ['an exact limit', { limit: { tokens: 5, per: '1m' } }],
  ['an exact limit of each caller', { limit: { tokens: 5, per: '1m', by: 'caller' } }],
  ['an exact limit of the tool', { limit: { tokens: 5, per: '1m', by: 'tool' } }],
  ['an exact limit of some tools', { limit: { tokens: 5, per: '1m', by: 'all' } }],
  ['cached results', { cache: '5m', stale: '1h', shared: true }],
  ['results that are cached for a second', { cache: '1s', shared: false }],
  ['handles and questions', { uses: { basket, other: optional(basket) }, ask: () => ({}) }],
])('accepts a definition with %s', (_, members) => {
  expect(findProblems({ ...good, ...members })).toEqual([])
})

test.each([
  [{ description: undefined }, '`description` is missing'],
  [{ description: '  ' }, '`description` must be a non-empty string.'],
  [{ description: 5 }, '`description` must be a non-empty string.'],
  [{ run: undefined }, '`run` is missing'],
  [{ run: 'hello' }, '`run` must be a function.'],
  [{ ask: {} }, '`ask` must be a function.'],
  [{ title: '' }, '`title` must be a non-empty string.'],
  [{ icons: { src: 'x' } }, '`icons` is an object. It must be an array of icons'],
  [{ icons: [null] }, '`icons[0]` is null. It must be an icon.'],
  [{ icons: [{ mimeType: 'image/png' }] }, '`icons[0].src` is missing.'],
  [{ icons: [icon, { src: 'javascript:alert(1)' }] }, '`icons[1].src` is "javascript:alert(1)".'],
  [
    { icons: [{ src: '/icon.png' }] },
    '`icons[0].src` is "/icon.png". It must be an https: or data:',
  ],
  [
    { icons: [{ ...icon, sizes: '48x48' }] },
    '`icons[0].sizes` is "48x48". It must be a list of sizes',
  ],
  [
    { icons: [{ ...icon, sizes: [48] }] },
    '`icons[0].sizes` is an array. It must be a list of sizes',
  ],
  [
    { icons: [{ ...icon, theme: 'blue' }] },
    '`icons[0].theme` is "blue". It must be "light" or "dark".',
  ],
  [{ icons: [{ ...icon, mimeType: null }] }, '`icons[0].mimeType` is null. It must be text.'],
  [{ outputs: {} }, '`outputs` is not a tool option. Did you mean `output`?'],
  [{ descripton: '' }, '`descripton` is not a tool option. Did you mean `description`?'],
  [{ Timeout: '5s' }, 'Did you mean `timeout`?'],
  [{ colour: 1 }, '`colour` is not a tool option. Options: name, title, description,'],
  [{ constructor: {} }, '`constructor` is not a tool option.'],
  [{ cacheScope: 'public' }, '`cacheScope` is computed from what the list depends on'],
  [{ public: true }, '`public` is computed'],
  [{ inputSchema: {} }, '`inputSchema` is called `input` here.'],
  [{ hints: true }, '`hints` must be an object'],
  [{ hints: { readonly: true } }, '`hints.readonly` is not a hint. Did you mean `readOnly`?'],
  [{ hints: { safe: true } }, '`hints.safe` is not a hint. Options: readOnly, destructive,'],
  [{ hints: { readOnly: 'yes' } }, '`hints.readOnly` must be true or false.'],
  [
    { timeout: '20' },
    '`timeout` is "20". It must be a duration longer than zero, such as "20s" or "2m".',
  ],
  [{ timeout: '36501d' }, '`timeout` is "36501d". It must be at most "36500d".'],
  [{ timeout: 20 }, '`timeout` is 20. It must be a duration'],
  [{ timeout: '0s' }, '`timeout` is "0s". It must be a duration'],
  [{ cache: true }, '`cache` is true. It must be a duration of one second or more, such as'],
  [{ cache: '5 minutes' }, '`cache` is "5 minutes". It must be a duration of one second or more'],
  [{ cache: '0s' }, '`cache` is "0s". It must be a duration of one second or more'],
  [{ cache: '999ms' }, '`cache` is "999ms". It must be a duration of one second or more'],
  [{ cache: 300 }, '`cache` is 300. It must be a duration of one second or more'],
  [{ stale: '0s' }, '`stale` is "0s". It must be a duration longer than zero'],
  [{ stale: true }, '`stale` is true. It must be a duration longer than zero'],
  [{ shared: 'yes' }, '`shared` must be true or false.'],
  [{ fresh: '5m' }, '`fresh` is now `cache`.'],
  [{ ttl: '5m' }, '`ttl` is called `cache` here'],
  [{ ttlMs: 300_000 }, '`ttlMs` is called `cache` here'],
  [{ private: true }, '`private` is the default for cached results'],
  [{ uses: basket.name }, '`uses` must be an object of handles'],
  [{ uses: { basket: {} } }, '`uses.basket` is not a handle. Create it with defineHandle'],
  [{ uses: { basket: undefined } }, '`uses.basket` is not a handle. Create it with defineHandle'],
  [{ uses: { cart: stray } }, '`uses.cart` is not the default export of a module under tools/'],
  [{ uses: { cart: optional(stray) } }, '`uses.cart` is not the default export of a module'],
  [
    { limit: 'CHECKOUTS' },
    '`limit` is "CHECKOUTS", but wrangler.toml has no [[ratelimits]] binding with that name. ' +
      'Bindings: CALLS.',
  ],
  [
    { limit: { tokens: 5, per: '1m', by: 'user' } },
    '`limit.by` must be "caller", "tool" or "all".',
  ],
  [
    { limit: { tokens: 1_000_000_000, per: '365d' } },
    'A limit of 1000000000 in 365d is too large to be counted exactly. In 365d, at most 142808 can',
  ],
  [
    { limit: { tokens: 1, per: '999999999d' } },
    '`limit.per` is "999999999d". It must be a duration',
  ],
  [{ limit: 5 }, '`limit` must be the name of a [[ratelimits]] binding, or exact, such as'],
  [{ limit: '' }, '`limit` must be the name of a [[ratelimits]] binding, or exact, such as'],
  [{ limit: { tokens: 5 } }, '`limit.per` is undefined. It must be a duration'],
  [{ limit: { tokens: 5, per: '0s' } }, '`limit.per` is "0s". It must be a duration'],
  [{ limit: { token: 5, per: '1m' } }, '`limit.token` is not an option of a limit. Did you mean'],
  [{ parallel: 0 }, '`parallel` must be a whole number, 1 or more.'],
  [{ parallel: 1e12 }, '`parallel` is 1000000000000. At most 10000 calls can be counted.'],
  [{ sanitize: true }, '`sanitize` must be false or a function.'],
  [{ scopes: ['two words'] }, '`scopes` must be an array of scopes without spaces and quotes'],
])('refuses %j', (members, start) => {
  const [problem, ...others] = findProblems({ ...good, ...members })
  expect(problem).toContain(start)
  expect(others).toEqual([])
})

test.each([0, -1, 1.5, Number.NaN, Infinity, 1e308, '5', 5n, null])(
  'refuses a limit of %s tokens, as the object that counts them would',
  (tokens) => {
    const [problem] = findProblems({ ...good, limit: { tokens, per: '1m' } })
    expect(problem).toMatch(/^`limit\.tokens` is .+\. It must be a whole number, 1 or more\.$/)
    const limit = { tokens, per: '1m' }
    expect(() => Reflect.apply(toBucketRule, undefined, [limit])).toThrow(problem)
  },
)

test('names what is stored in the objects of each class', () => {
  const describeAs = (options: JsonObject) => {
    const tool = defineTool(good)
    const exported: JsonObject = { ...tool, definition: { ...tool.definition, ...options } }
    const context = { limits: [], handles: new Set(), tools: [], creators: [] }
    const described = describeTool(
      { name: 'pay', exported },
      { ...context, printOther: () => null },
    )
    return 'stored' in described ? described.stored : described
  }
  const ask = () => ({})
  const limit = { tokens: 5, per: '1m' } as const
  expect(describeAs({ limit, parallel: 2, ask })).toEqual({
    Handles: ['`limit` of 5 in 1m', '`parallel`', '`ask`'],
    Hub: ['`ask`'],
    Bridge: ['`ask`'],
  })
  const hints = { readOnly: true }
  expect(describeAs({ ask, hints })).toEqual({
    Handles: [],
    Hub: ['`ask` without STATE_KEY'],
    Bridge: ['`ask`'],
  })
  expect(describeAs({})).toEqual({ Handles: [], Hub: [], Bridge: [] })
})

test('says that wrangler.toml has no limit binding', () => {
  const [problem] = findProblems({ ...good, limit: 'CALLS' }, [])
  expect(problem).toContain('wrangler.toml has no [[ratelimits]] bindings. Add one')
})

test('finds every problem at once', () => {
  expect(findProblems({ title: '', outputs: {} })).toHaveLength(4)
})

const readOnly = { readOnly: true }

describe('the cache of a tool', () => {
  test.each([
    [{}],
    [{ hints: {}, uses: {}, ask: () => ({}) }],
    [{ stale: undefined, shared: undefined }],
    [{ cache: undefined, uses: {} }],
    [{ cache: '5m', hints: readOnly }],
    [{ cache: '5m', hints: readOnly, stale: '1h', shared: true }],
    [{ cache: '5m', hints: readOnly, shared: false, uses: undefined, ask: undefined }],
  ])('may have %j', (members) => {
    expect(findCacheProblems(members)).toEqual([])
  })

  test.each([
    [
      { stale: '1h' },
      '`stale` needs `cache`, without which results are not cached. Set `cache`, or remove `stale`.',
    ],
    [{ shared: true }, '`shared` needs `cache`'],
    [{ shared: false }, '`shared` needs `cache`'],
    [{ cache: '5m' }, '`cache` needs `hints: { readOnly: true }`: a cached call does not run'],
    [{ cache: '5m', hints: {} }, 'Add the hint, or remove `cache`.'],
    [{ cache: '5m', hints: { readOnly: false } }, '`cache` needs `hints: { readOnly: true }`'],
    [{ cache: '5m', hints: { readOnly: 'true' } }, '`cache` needs `hints: { readOnly: true }`'],
    [{ cache: '5m', hints: [] }, '`cache` needs `hints: { readOnly: true }`'],
    [
      { cache: '5m', hints: readOnly, uses: {} },
      '`cache` cannot be combined with `uses`: a cached result would not follow',
    ],
    [
      { cache: '5m', hints: readOnly, ask: () => ({}) },
      '`cache` cannot be combined with `ask`: the answers',
    ],
  ])('may not have %j', (members, sentence) => {
    const [problem, ...others] = findCacheProblems(members)
    expect(problem).toContain(sentence)
    expect(others).toEqual([])
  })

  test('reports every problem at once', () => {
    expect(findCacheProblems({ stale: '1h', shared: true })).toHaveLength(2)
    expect(findCacheProblems({ cache: '5m', uses: {}, ask: () => ({}) })).toHaveLength(3)
  })
})
