import * as z from 'zod'
import { defineHandle } from '../../src/define/handle.ts'
import { defineTool, type Tool } from '../../src/define/tool.ts'
import { form } from '../../src/define/elicitation.ts'
import type { CachedRunContext } from '../../src/define/contexts.ts'
import { reply } from '../../src/define/reply.ts'
import type { Caller } from '../../src/protocol/caller.ts'
import type { Content } from '../../src/protocol/content.ts'

/* Only compiled: what must not compile is marked so. */

type Same<A, B> = [A, B] extends [B, A] ? true : false
const same = <A, B>(same: Same<A, B>): boolean => same

const schemas = {
  input: z.object({ query: z.string(), page: z.coerce.number().default(1) }),
  output: z.object({ hits: z.array(z.string()) }),
}
const search = { description: 'Searches.', ...schemas }
const hints = { readOnly: true } as const
const basket = defineHandle({
  name: 'basket',
  prefix: 'bsk',
  idle: '24h',
  state: z.object({}),
  start: () => ({}),
  verbs: {},
})

// a tool that is run for every call has all there is
const live = defineTool({
  ...search,
  uses: { basket },
  ask: ({ input }) => ({ sure: form(`${input.query}?`, z.object({ yes: z.boolean() })) }),
  async run({ input, caller, answers, use, progress, notify, purge, create, trace }) {
    same<typeof input, { query: string; page: number }>(true)
    same<typeof caller, Caller | null>(true)
    same<typeof answers.sure, { yes: boolean }>(true)
    progress(1, 2)
    await notify.resourcesChanged()
    await purge({ tools: ['search'] })
    return { hits: [use.basket.id, typeof create, typeof trace] }
  },
})

// a union is narrowed like any other
const union = defineTool({
  description: 'Changes a basket.',
  uses: { basket },
  input: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('add'), sku: z.string() }),
    z.object({ kind: z.literal('count'), count: z.coerce.number() }),
  ]),
  ask: ({ input }) => ({ sure: form(`${input.kind}?`, z.object({ yes: z.boolean() })) }),
  run({ input, use }) {
    same<typeof input.kind, 'add' | 'count'>(true)
    if (input.kind === 'count') return `${input.count.toFixed()} in ${use.basket.id}`
    same<typeof input.sku, string>(true)
    // @ts-expect-error the other form has the count
    return String(input.count)
  },
})

// what is kept for each caller is told who that is
const cached = defineTool({
  ...search,
  hints,
  cache: '5m',
  stale: '1h',
  run({ input, caller, env, signal, log }) {
    same<typeof input, { query: string; page: number }>(true)
    same<typeof caller, Caller | null>(true)
    log.info('searched', { page: input.page })
    return { hits: [String(caller?.subject), typeof env, String(signal.aborted)] }
  },
})

const cachedOnly = defineTool({
  ...search,
  hints: { readOnly: true, openWorld: true },
  cache: '5m',
  shared: false,
  run: ({ caller }) => ({ hits: [String(caller?.subject)] }),
})

// what everybody may be sent is made without knowing who asks
const shared = defineTool({
  ...search,
  hints,
  cache: '5m',
  shared: true,
  run({ input }) {
    same<typeof input, { query: string; page: number }>(true)
    return { hits: [input.query] }
  },
})

const sharedWithCaller = defineTool({
  ...search,
  hints,
  cache: '5m',
  shared: true,
  // @ts-expect-error a shared result cannot depend on who the caller is
  run: ({ caller }) => ({ hits: [String(caller)] }),
})

/* What a call that stands for many others has not got. */

type Missing<Key extends PropertyKey> = Key extends keyof CachedRunContext<unknown> ? false : true
export const missing: readonly true[] = [
  true satisfies Missing<'caller'>,
  true satisfies Missing<'progress'>,
  true satisfies Missing<'notify'>,
  true satisfies Missing<'purge'>,
  true satisfies Missing<'use'>,
  true satisfies Missing<'answers'>,
  true satisfies Missing<'create'>,
  true satisfies Missing<'open'>,
  true satisfies Missing<'trace'>,
]

const withProgress = defineTool({
  description: 'Searches.',
  hints,
  cache: '5m',
  // @ts-expect-error its result is shared by many calls
  run: ({ progress }) => String(progress),
})

const withNotify = defineTool({
  description: 'Searches.',
  hints,
  cache: '5m',
  // @ts-expect-error what is read-only changes nothing that anybody would be told of
  run: ({ notify }) => String(notify),
})

const withUse = defineTool({
  description: 'Searches.',
  hints,
  cache: '5m',
  // @ts-expect-error it has no handle
  run: ({ use }) => String(use),
})

const withCreate = defineTool({
  description: 'Searches.',
  hints,
  cache: '5m',
  // @ts-expect-error it makes none
  run: ({ create }) => String(create),
})

const withTrace = defineTool({
  description: 'Searches.',
  hints,
  cache: '5m',
  // @ts-expect-error a trace belongs to one call
  run: ({ trace }) => String(trace),
})

const sharedWithTrace = defineTool({
  description: 'Searches.',
  hints,
  cache: '5m',
  shared: true,
  // @ts-expect-error nor has a shared one
  run: ({ trace, progress }) => String(trace) + String(progress),
})

/* What does not go together. */

const withoutHints = defineTool({
  description: 'Searches.',
  // @ts-expect-error what is kept has to say that it changes nothing
  cache: '5m',
  run: () => 'found',
})

const withOtherHints = defineTool({
  description: 'Searches.',
  // @ts-expect-error any other hint does not say it
  cache: '5m',
  hints: { idempotent: true },
  run: () => 'found',
})

const changing = defineTool({
  description: 'Searches.',
  // @ts-expect-error nor does its opposite
  cache: '5m',
  hints: { readOnly: false },
  run: () => 'found',
})

const asking = defineTool({
  description: 'Searches.',
  hints,
  cache: '5m',
  // @ts-expect-error an answer belongs to one call
  ask: () => ({ sure: form('Sure?', z.object({ yes: z.boolean() })) }),
  run: () => 'found',
})

const using = defineTool({
  description: 'Searches.',
  hints,
  cache: '5m',
  // @ts-expect-error what a handle holds changes while a result is kept
  uses: { basket },
  run: () => 'found',
})

const sharedOnly = defineTool({
  description: 'Searches.',
  hints,
  // @ts-expect-error nothing is kept that could be shared
  shared: true,
  run: () => 'found',
})

const staleOnly = defineTool({
  description: 'Searches.',
  hints,
  // @ts-expect-error nothing is kept that could be stale
  stale: '5m',
  run: () => 'found',
})

const misspelt = defineTool({
  description: 'Searches.',
  hints,
  // @ts-expect-error that is no time
  cache: '5 minutes',
  run: () => 'found',
})

/* What is returned is checked in every kind. */

const wrongLive = defineTool({
  ...search,
  // @ts-expect-error a number is no text
  run: () => ({ hits: [1] }),
})

const wrongCached = defineTool({
  ...search,
  hints,
  cache: '5m',
  // @ts-expect-error a number is no text
  run: () => ({ hits: [1] }),
})

const wrongShared = defineTool({
  ...search,
  hints,
  cache: '5m',
  shared: true,
  // @ts-expect-error a number is no text
  run: () => ({ hits: [1] }),
})

// literals stay what they are, and what is returned may be read-only
const literal = [
  defineTool({
    description: 'Picks.',
    output: z.object({ size: z.enum(['S', 'M']), rows: z.array(z.object({ n: z.number() })) }),
    run: () => ({ size: 'S', rows: [{ n: 1 }] }),
  }),
  defineTool({
    description: 'Picks.',
    output: z.object({ size: z.enum(['S', 'M']), pair: z.tuple([z.string(), z.number()]) }),
    async run({ signal }) {
      await Promise.resolve(signal)
      return reply({ size: 'M', pair: ['a', 1] })
    },
  }),
  defineTool({
    description: 'Draws.',
    run: () => ({ type: 'image', data: '', mimeType: 'image/png' }),
  }),
  defineTool({ description: 'Answers.', run: (): string | Content => 'pong' }),
  defineTool({ description: 'Answers.', output: z.json(), run: () => ({ a: [1, { b: null }] }) }),
]

const wrongLiteral = defineTool({
  description: 'Picks.',
  output: z.object({ size: z.enum(['S', 'M']) }),
  // @ts-expect-error there is no such size
  run: () => ({ size: 'L' }),
})

const wrongTuple = defineTool({
  description: 'Picks.',
  output: z.object({ pair: z.tuple([z.string(), z.number()]) }),
  // @ts-expect-error the text comes first
  run: () => ({ pair: [1, 'a'] }),
})

// whether it is shared is not known, so it gets no caller
declare const big: boolean
const perhapsShared = defineTool({
  ...search,
  hints,
  cache: '5m',
  shared: big,
  // @ts-expect-error it may be shared
  run: ({ caller }) => ({ hits: [String(caller)] }),
})

// what is returned without `output` is text or content
const structured = [
  // @ts-expect-error an object needs an output schema
  defineTool({ description: 'Adds.', run: () => ({ sum: 1 }) }),
  // @ts-expect-error so does one that is there at times
  defineTool({ description: 'Adds.', run: () => (big ? 'none' : { sum: 1 }) }),
  // @ts-expect-error and one with content of its own
  defineTool({ description: 'Adds.', run: () => reply({ sum: 1 }) }),
  // @ts-expect-error a number is neither
  defineTool({ description: 'Adds.', run: () => 1 }),
  // @ts-expect-error nor later
  defineTool({ description: 'Adds.', run: () => Promise.resolve(1) }),
  // @ts-expect-error and nothing is nothing
  defineTool({ description: 'Adds.', run: () => {} }),
]

// without schemas: no input, and text
const plain = [
  defineTool({ description: 'Answers.', run: () => 'pong' }),
  defineTool({ description: 'Answers.', hints, cache: '5m', run: () => 'pong' }),
  defineTool({ description: 'Answers.', hints, cache: '5m', shared: true, run: () => 'pong' }),
]

export const tools: readonly Tool[] = [
  live,
  cached,
  cachedOnly,
  shared,
  sharedWithCaller,
  withProgress,
  withNotify,
  withUse,
  withCreate,
  withTrace,
  sharedWithTrace,
  withoutHints,
  withOtherHints,
  changing,
  union,
  asking,
  using,
  sharedOnly,
  staleOnly,
  misspelt,
  wrongLive,
  wrongCached,
  wrongShared,
  wrongLiteral,
  wrongTuple,
  perhapsShared,
  ...literal,
  ...structured,
  ...plain,
]
