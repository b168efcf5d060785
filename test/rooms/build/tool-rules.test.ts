import * as z from 'zod'
import { expect, test } from 'vitest'
import { findMemberProblems } from '../../../src/build/kinds/members.ts'
import { toToolRules } from '../../../src/build/kinds/tool.ts'
import { defineHandle } from '../../../src/define/handle.ts'
import { optional } from '../../../src/define/handles.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'

const good = { description: 'Says hello.', run: () => 'hello' }
const basket = defineHandle({
  name: 'basket',
  prefix: 'bsk',
  idle: '24h',
  state: z.object({}),
  start: () => ({}),
  verbs: {},
})
/** The same again, as a module that nobody looks at would make it. */
const stray = { ...basket }

function findProblems(definition: JsonObject, limits = ['CALLS']): readonly string[] {
  const surroundings = {
    limits,
    handles: new Set([basket]),
    tools: [],
    creators: [],
    printOther: () => null,
  }
  return findMemberProblems(toToolRules(surroundings), definition)
}

test.each([
  ['only what it must have', {}],
  ['all it may have', { title: 'Hello', icons: [], hints: { readOnly: true }, timeout: '20s' }],
  ['members that are undefined', { title: undefined, limit: undefined, hints: undefined }],
  ['a limit that exists', { limit: 'CALLS' }],
  ['results that are kept', { cache: '5m', stale: '1h', shared: true }],
  ['results that are kept for a second', { cache: '1s', shared: false }],
  ['handles and questions', { uses: { basket, other: optional(basket) }, ask: () => ({}) }],
])('takes a definition with %s', (_, members) => {
  expect(findProblems({ ...good, ...members })).toEqual([])
})

test.each([
  [{ description: undefined }, '`description` is missing'],
  [{ description: '  ' }, '`description` must be text, and not empty.'],
  [{ description: 5 }, '`description` must be text, and not empty.'],
  [{ run: undefined }, '`run` is missing'],
  [{ run: 'hello' }, '`run` is no function.'],
  [{ ask: {} }, '`ask` is no function.'],
  [{ title: '' }, '`title` must be text, and not empty.'],
  [{ icons: { src: 'x' } }, '`icons` is no list of icons'],
  [{ outputs: {} }, '`outputs` is nothing that a tool has. Did you mean `output`?'],
  [{ descripton: '' }, '`descripton` is nothing that a tool has. Did you mean `description`?'],
  [{ Timeout: '5s' }, 'Did you mean `timeout`?'],
  [{ colour: 1 }, '`colour` is nothing that a tool has. It has: name, title, description,'],
  [{ constructor: {} }, '`constructor` is nothing that a tool has.'],
  [{ cacheScope: 'public' }, '`cacheScope` is computed from what the list depends on'],
  [{ public: true }, '`public` is computed'],
  [{ inputSchema: {} }, '`inputSchema` is called `input` here.'],
  [{ hints: true }, '`hints` is no object'],
  [{ hints: { readonly: true } }, '`hints` has no readonly. It takes: readOnly, destructive,'],
  [{ hints: { readOnly: 'yes' } }, '`hints` wants true or false for readOnly.'],
  [{ timeout: '20' }, '`timeout` is "20", which is no time limit.'],
  [{ timeout: 20 }, '`timeout` is 20, which is no time limit.'],
  [{ timeout: '0s' }, '`timeout` is "0s", which is no time limit.'],
  [{ cache: true }, '`cache` is true, which is no time to keep results: a second or more.'],
  [{ cache: '5 minutes' }, '`cache` is "5 minutes", which is no time to keep results:'],
  [{ cache: '0s' }, '`cache` is "0s", which is no time to keep results:'],
  [{ cache: '999ms' }, '`cache` is "999ms", which is no time to keep results:'],
  [{ cache: 300 }, '`cache` is 300, which is no time to keep results:'],
  [{ stale: '0s' }, '`stale` is "0s", which is no time to send the old result.'],
  [{ stale: true }, '`stale` is true, which is no time to send the old result.'],
  [{ shared: 'yes' }, '`shared` is neither true nor false.'],
  [{ fresh: '5m' }, '`fresh` is now `cache`.'],
  [{ ttl: '5m' }, '`ttl` is called `cache` here'],
  [{ ttlMs: 300_000 }, '`ttlMs` is called `cache` here'],
  [{ private: true }, '`private` is what kept results are, unless the tool is `shared: true`.'],
  [{ uses: basket.name }, '`uses` is no object of handles'],
  [{ uses: { basket: {} } }, '`uses` has basket, which is no handle.'],
  [{ uses: { basket: undefined } }, '`uses` has basket, which is no handle.'],
  [{ uses: { cart: stray } }, '`uses` has cart, and no module under tools/ has that handle'],
  [{ uses: { cart: optional(stray) } }, '`uses` has cart, and no module under tools/ has that'],
  [
    { limit: 'CHECKOUTS' },
    '`limit` names no [[ratelimits]] of wrangler.toml: "CHECKOUTS". There are: CALLS.',
  ],
])('refuses %j', (members, start) => {
  const [problem, ...others] = findProblems({ ...good, ...members })
  expect(problem).toContain(start)
  expect(others).toEqual([])
})

test('says that there is no limit at all', () => {
  const [problem] = findProblems({ ...good, limit: 'CALLS' }, [])
  expect(problem).toContain('There are none: add one.')
})

test('finds every problem at once', () => {
  expect(findProblems({ title: '', outputs: {} })).toHaveLength(4)
})
