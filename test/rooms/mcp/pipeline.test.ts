import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { toLookupUrl } from '../../../src/cache/cache-key.ts'
import type { Store } from '../../../src/cache/read-through.ts'
import { form } from '../../../src/define/elicitation.ts'
import { definePrompt } from '../../../src/define/prompt.ts'
import { ToolError } from '../../../src/define/reply.ts'
import { defineResource } from '../../../src/define/resource.ts'
import { defineTool } from '../../../src/define/tool.ts'
import { fill } from '../../../src/mcp/fill.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import type { Outcome } from '../../../src/protocol/outcome.ts'
import { answer, type CallChanges, createCall } from './test-call.ts'
import { createWatchedWorker, type Note, type WatchedWorker } from './watched-worker.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const description = 'An entry of this test.'
const scopes = ['shop:write']
const limit = { tokens: 5, per: '1m' } as const
const writer = { subject: 'ann', scopes, claims: {} }
const env = { STATE_KEY: 'k'.repeat(43) }
const envelope = { clientCapabilities: { elicitation: { form: {} } } }
const yes = { sure: { action: 'accept', content: {} } }

/** What can be wrong with a call, in the order in which it is noticed. */
type Fault =
  | 'an unknown name'
  | 'a missing scope'
  | 'a hidden entry'
  | 'malformed params'
  | 'no free place'
  | 'a used-up limit'
  | 'a forged state'
  | 'invalid input'
  | 'an open question'

interface Rung {
  readonly fault: Fault | 'nothing'
  /** Every step that the call took before it ended, and after. */
  readonly steps: readonly string[]
  readonly ends: RegExp
}

/** A kind of work: its modules, and a request that has these faults. */
interface Kind {
  readonly method: string
  readonly make: (
    note: Note,
    has: (fault: Fault) => boolean,
  ) => Parameters<typeof createWatchedWorker>[0]
  readonly toParams: (has: (fault: Fault) => boolean) => JsonObject
  readonly rungs: readonly Rung[]
}

/** A schema that notes each check of a value; `good` is the only valid one. */
const noted = (note: Note) =>
  z.string().refine((value) => {
    note('check')
    return value === 'good'
  })

const ask = (note: Note) => () => {
  note('ask')
  return { sure: form('Sure?', z.object({}), { unasked: 'accept' }) }
}

/** The params of every retry: a state only where it is forged, and answers where there are any. */
function toRetry(has: (fault: Fault) => boolean): JsonObject {
  return {
    ...(has('a forged state') && { requestState: 'forged' }),
    ...(!has('an open question') && { inputResponses: yes }),
  }
}

const tool: Kind = {
  method: 'tools/call',
  make: (note, has) => () => ({
    pay: defineTool({
      description,
      scopes,
      input: z.object({ amount: noted(note) }),
      limit,
      parallel: 2,
      visible() {
        note('visible')
        return !has('a hidden entry')
      },
      ask: ask(note),
      run() {
        note('run')
        return 'paid'
      },
    }),
  }),
  toParams: (has) => ({
    name: has('an unknown name') ? 'nothing' : 'pay',
    arguments: has('malformed params') ? [] : { amount: has('invalid input') ? 'bad' : 'good' },
    ...toRetry(has),
  }),
  rungs: [
    { fault: 'an unknown name', steps: [], ends: /Unknown tool: nothing/ },
    { fault: 'a missing scope', steps: [], ends: /insufficient-scope.*shop:write/ },
    { fault: 'a hidden entry', steps: ['load', 'visible'], ends: /Unknown tool: pay/ },
    {
      fault: 'malformed params',
      steps: ['load', 'visible'],
      ends: /params\.arguments must be an object/,
    },
    {
      fault: 'no free place',
      steps: ['load', 'visible', 'load', 'begin'],
      ends: /2 calls of it are running already/,
    },
    {
      fault: 'a used-up limit',
      steps: ['load', 'visible', 'load', 'begin', 'count', 'end'],
      ends: /it may be called 5 times in 1m/,
    },
    {
      fault: 'a forged state',
      steps: ['load', 'visible', 'load', 'begin', 'count', 'end'],
      ends: /Invalid or expired requestState/,
    },
    {
      fault: 'invalid input',
      steps: ['load', 'visible', 'load', 'begin', 'nonce', 'count', 'check', 'end'],
      ends: /pay was not run\. .*amount/,
    },
    {
      fault: 'an open question',
      steps: ['load', 'visible', 'load', 'begin', 'nonce', 'count', 'check', 'ask', 'end'],
      ends: /input-required.*Sure\?/,
    },
    {
      fault: 'nothing',
      steps: [
        ['load', 'visible', 'load', 'begin', 'nonce', 'count', 'check'],
        ['ask', 'ask', 'run', 'end'],
      ].flat(),
      ends: /"kind":"result".*paid/,
    },
  ],
}

const prompt: Kind = {
  method: 'prompts/get',
  make: (note, has) => () => ({
    plan: definePrompt({
      description,
      scopes,
      input: z.object({ topic: noted(note) }),
      visible() {
        note('visible')
        return !has('a hidden entry')
      },
      ask: ask(note),
      messages() {
        note('run')
        return 'Plan it.'
      },
    }),
  }),
  toParams: (has) => ({
    name: has('an unknown name') ? 'nothing' : 'plan',
    arguments: has('malformed params')
      ? { topic: 1 }
      : { topic: has('invalid input') ? 'bad' : 'good' },
    ...toRetry(has),
  }),
  rungs: [
    { fault: 'an unknown name', steps: [], ends: /Unknown prompt: nothing/ },
    { fault: 'a missing scope', steps: [], ends: /insufficient-scope.*shop:write/ },
    { fault: 'a hidden entry', steps: ['load', 'visible'], ends: /Unknown prompt: plan/ },
    { fault: 'malformed params', steps: ['load', 'visible'], ends: /values are strings/ },
    {
      fault: 'a forged state',
      steps: ['load', 'visible', 'load'],
      ends: /Invalid or expired requestState/,
    },
    {
      fault: 'invalid input',
      steps: ['load', 'visible', 'load', 'check'],
      ends: /plan cannot be filled in\. .*topic/,
    },
    {
      fault: 'an open question',
      steps: ['load', 'visible', 'load', 'check', 'ask'],
      ends: /input-required.*Sure\?/,
    },
    {
      fault: 'nothing',
      steps: ['load', 'visible', 'load', 'check', 'ask', 'ask', 'run'],
      ends: /"kind":"result".*Plan it\./,
    },
  ],
}

const resource: Kind = {
  method: 'resources/read',
  make: (note, has) => () => ({
    order: defineResource({
      uri: 'shop://orders/{id}',
      mime: 'text/plain',
      scopes,
      params: z.object({ id: noted(note) }),
      visible() {
        note('visible')
        return !has('a hidden entry')
      },
      ask: ask(note),
      read() {
        note('run')
        return 'One knife.'
      },
    }),
  }),
  toParams: (has) => ({
    uri: `shop://${has('an unknown name') ? 'nothing' : 'orders'}/${has('invalid input') ? 'bad' : 'good'}`,
    ...toRetry(has),
  }),
  rungs: [
    { fault: 'an unknown name', steps: [], ends: /Resource not found: shop:\/\/nothing/ },
    { fault: 'a missing scope', steps: [], ends: /insufficient-scope.*shop:write/ },
    { fault: 'a hidden entry', steps: ['load', 'visible'], ends: /Resource not found/ },
    {
      fault: 'a forged state',
      steps: ['load', 'visible', 'load'],
      ends: /Invalid or expired requestState/,
    },
    {
      fault: 'invalid input',
      steps: ['load', 'visible', 'load', 'check'],
      ends: /Resource not found.*id/,
    },
    {
      fault: 'an open question',
      steps: ['load', 'visible', 'load', 'check', 'ask'],
      ends: /input-required.*Sure\?/,
    },
    {
      fault: 'nothing',
      steps: ['load', 'visible', 'load', 'check', 'ask', 'ask', 'run'],
      ends: /"kind":"result".*One knife\./,
    },
  ],
}

const completion: Kind = {
  method: 'completion/complete',
  make: (note, has) => () => ({
    plan: definePrompt({
      description,
      scopes,
      input: z.object({ topic: z.string() }),
      visible() {
        note('visible')
        return !has('a hidden entry')
      },
      complete: {
        topic() {
          note('run')
          return ['knives']
        },
      },
      messages: () => '',
    }),
  }),
  toParams: (has) => ({
    ref: { type: 'ref/prompt', name: has('an unknown name') ? 'nothing' : 'plan' },
    argument: { name: has('malformed params') ? 'subject' : 'topic', value: '' },
    ...(has('a forged state') && { requestState: 'forged' }),
  }),
  rungs: [
    { fault: 'an unknown name', steps: [], ends: /There is no prompt nothing/ },
    { fault: 'a missing scope', steps: [], ends: /insufficient-scope.*shop:write/ },
    { fault: 'a hidden entry', steps: ['load', 'visible'], ends: /There is no prompt plan/ },
    { fault: 'malformed params', steps: ['load', 'visible'], ends: /plan has no argument subject/ },
    {
      fault: 'a forged state',
      steps: ['load', 'visible', 'load'],
      ends: /Invalid or expired requestState/,
    },
    {
      fault: 'nothing',
      steps: ['load', 'visible', 'load', 'run'],
      ends: /"kind":"result".*knives/,
    },
  ],
}

const rows: Kind = {
  method: 'resources/list',
  make: (note, has) => () => ({
    order: defineResource({
      uri: 'shop://orders/{id}',
      mime: 'text/plain',
      scopes,
      visible() {
        note('visible')
        return !has('a hidden entry')
      },
      list() {
        note('run')
        return { resources: [{ uri: 'shop://orders/1', name: 'one' }] }
      },
      read: () => '',
    }),
  }),
  toParams: (has) => ({ ...(has('malformed params') && { cursor: 1 }) }),
  rungs: [
    { fault: 'malformed params', steps: [], ends: /The cursor is not one that this list gave/ },
    { fault: 'a missing scope', steps: [], ends: /"kind":"result".*resources\\":\[\]/ },
    {
      fault: 'a hidden entry',
      steps: ['load', 'visible'],
      ends: /"kind":"result".*resources\\":\[\]/,
    },
    {
      fault: 'nothing',
      steps: ['load', 'visible', 'load', 'run'],
      ends: /"kind":"result".*shop:\/\/orders\/1/,
    },
  ],
}

/** Sends a call that has these faults. */
async function send({ method, make, toParams }: Kind, faults: readonly string[]) {
  const has = (fault: Fault): boolean => faults.includes(fault)
  const watched = createWatchedWorker((note) => make(note, has)(note), {
    isFull: has('no free place'),
    isUsedUp: has('a used-up limit'),
  })
  const changes = { env, envelope, ...(!has('a missing scope') && { caller: writer }) }
  const call = createCall(watched.settings, method, toParams(has), changes)
  return { ...watched, outcome: await answer(call) }
}

describe.each([
  ['a tool', tool],
  ['a prompt', prompt],
  ['a resource', resource],
  ['a completion', completion],
  ['the rows of a list', rows],
] as const)('%s', (_kind, kind) => {
  const faults = kind.rungs.map(({ fault }) => fault)

  test.each(kind.rungs)(
    'ends at $fault, whatever else is wrong',
    async ({ fault, steps, ends }) => {
      const sent = await send(kind, faults.slice(faults.indexOf(fault)))
      expect(JSON.stringify(sent.outcome)).toMatch(ends)
      expect(sent.steps).toEqual(steps)
    },
  )

  test.each(kind.rungs)('ends at $fault where nothing else is wrong', async ({ fault, ends }) => {
    const { outcome, steps } = await send(kind, [fault])
    expect(JSON.stringify(outcome)).toMatch(ends)
    if (fault !== 'nothing' && kind !== rows) expect(steps).not.toContain('run')
  })
})

test('a tool that is concealed from a caller is never imported', async () => {
  const secret = defineTool({ description, scopes, conceal: true, run: () => 'ran' })
  const { settings, steps } = createWatchedWorker(() => ({ secret }))
  const outcome = await answer(createCall(settings, 'tools/call', { name: 'secret' }))
  expect(outcome).toMatchObject({
    failure: { kind: 'invalid-params', why: 'Unknown tool: secret' },
  })
  expect(steps).toEqual([])
})

test('a header that does not match the arguments ends a call before its module is imported', async () => {
  const query = defineTool({
    description,
    input: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
    run: () => 'ran',
  })
  const { settings, steps } = createWatchedWorker(() => ({ query }))
  const params = { name: 'query', arguments: { region: 'eu' } }
  const headers = { 'Mcp-Param-Region': 'us' }
  const outcome = await answer(createCall(settings, 'tools/call', params, { headers }))
  expect(outcome).toMatchObject({ failure: { kind: 'header-mismatch' } })
  expect(steps).toEqual([])
})

test('a tool without `ask` refuses a forged state, too', async () => {
  const plain = defineTool({ description, run: () => 'ran' })
  const { settings } = createWatchedWorker(() => ({ plain }))
  const params = { name: 'plain', requestState: 'forged' }
  const outcome = await answer(createCall(settings, 'tools/call', params, { env }))
  expect(JSON.stringify(outcome)).toContain('Invalid or expired requestState')
})

describe('a place among parallel calls is given back', () => {
  const never = (): Promise<string> => new Promise(() => {})
  const gone = new AbortController()

  test.each<[string, () => string | Promise<string>, CallChanges, RegExp]>([
    ['when run returns', () => 'done', {}, /done/],
    [
      'when run throws a ToolError',
      () => {
        throw new ToolError('Closed.')
      },
      {},
      /Closed\..*isError/,
    ],
    ['when run rejects', () => Promise.reject(new Error('fault')), {}, /Error id/],
    ['when run takes too long', never, {}, /did not finish within 20ms/],
    ['when the client goes', never, { signal: gone.signal }, /closed its connection/],
  ])('%s', async (_when, run, changes, ends) => {
    const slow = defineTool({ description, parallel: 2, timeout: '20ms', run })
    const { settings, steps } = createWatchedWorker(() => ({ slow }))
    gone.abort()
    const call = createCall(settings, 'tools/call', { name: 'slow' }, changes)
    expect(JSON.stringify(await answer(call))).toMatch(ends)
    expect(steps).toEqual(['load', 'begin', 'end'])
  })

  test('before the result goes out', async () => {
    const { settings, steps } = createWatchedWorker((note) => ({
      slow: defineTool({ description, parallel: 1, run: () => 'done' }),
      other: defineTool({
        description,
        run() {
          note('other')
          return ''
        },
      }),
    }))
    await answer(createCall(settings, 'tools/call', { name: 'slow' }))
    await answer(createCall(settings, 'tools/call', { name: 'other' }))
    expect(steps.indexOf('end')).toBeLessThan(steps.indexOf('other'))
  })

  test('where its module cannot be imported, nothing was taken', async () => {
    const { settings, steps } = createWatchedWorker(() => ({
      slow: defineTool({ description, parallel: 1, run: () => 'done' }),
    }))
    const [entry] = settings.registry.tools
    Object.assign(settings.entries.tools.get('slow') ?? {}, {
      load: () => Promise.reject(new Error('no module')),
    })
    expect(entry).toBeDefined()
    const outcome = await answer(createCall(settings, 'tools/call', { name: 'slow' }))
    expect(JSON.stringify(outcome)).toMatch(/Error id/)
    expect(steps).toEqual([])
  })
})

describe('a tool with `cache`', () => {
  const kept = { isHit: true, age: 1, ttlMs: 60_000 }
  const hit: Store = { get: async () => ({ kind: 'result', members: '"content":[]', kept }) }

  function createCached(store: Store | null = null): WatchedWorker {
    const make = (note: Note) => ({
      find: defineTool({
        description,
        cache: '1m',
        hints: { readOnly: true },
        input: z.object({ what: noted(note) }),
        limit,
        parallel: 2,
        run() {
          note('run')
          return 'found'
        },
      }),
    })
    return createWatchedWorker(make, {}, { store })
  }

  const find = (settings: WatchedWorker['settings'], what = 'good'): Promise<Outcome> =>
    answer(createCall(settings, 'tools/call', { name: 'find', arguments: { what } }))

  test('counts every call, the ones that the cache answers included', async () => {
    const { settings, steps, counted } = createCached(hit)
    expect(await find(settings)).toMatchObject({ kept })
    expect(await find(settings)).toMatchObject({ kept })
    expect(steps).toEqual(['load', 'begin', 'count', 'end', 'begin', 'count', 'end'])
    expect(counted).toHaveLength(2)
  })

  test('is checked and run once where the cache has nothing, and counted once', async () => {
    const { settings, steps } = createCached()
    expect(JSON.stringify(await find(settings))).toContain('found')
    expect(steps).toEqual(['load', 'begin', 'count', 'check', 'run', 'end'])
  })

  test('does not run with invalid input', async () => {
    const { settings, steps } = createCached()
    expect(JSON.stringify(await find(settings, 'bad'))).toMatch(/find was not run/)
    expect(steps).toEqual(['load', 'begin', 'count', 'check', 'end'])
  })

  test('is neither counted nor limited where its result is made for the cache', async () => {
    const { settings, steps } = createCached()
    const input = { what: 'good' }
    const url = toLookupUrl({ method: 'tools/call', name: 'find', input })
    const site = { env: createCall().env, exports: {}, waitUntil: () => {} }
    const filled = await fill(settings, url, { caller: null }, site)
    expect(JSON.stringify(filled?.outcome)).toContain('found')
    expect(steps).toEqual(['load', 'check', 'run'])
  })
})
