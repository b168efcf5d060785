import * as z from 'zod'
import { defineHandle } from '../../src/define/handle.ts'
import { defineTool, type Tool } from '../../src/define/tool.ts'
import { form } from '../../src/define/elicitation.ts'
import type { Caching } from '../../src/define/contexts.ts'
import type { Caller } from '../../src/protocol/caller.ts'

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

type Missing<Key extends PropertyKey> = Key extends keyof Caching<unknown> ? false : true
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
  // @ts-expect-error there is nobody to tell how far it is
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

// @ts-expect-error what is kept has to say that it changes nothing
const withoutHints = defineTool({
  description: 'Searches.',
  cache: '5m',
  run: () => 'found',
})

// @ts-expect-error any other hint does not say it
const withOtherHints = defineTool({
  description: 'Searches.',
  cache: '5m',
  hints: { idempotent: true },
  run: () => 'found',
})

// @ts-expect-error nor does its opposite
const changing = defineTool({
  description: 'Searches.',
  cache: '5m',
  hints: { readOnly: false },
  run: () => 'found',
})

// @ts-expect-error an answer belongs to one call
const asking = defineTool({
  description: 'Searches.',
  hints,
  cache: '5m',
  ask: () => ({ sure: form('Sure?', z.object({ yes: z.boolean() })) }),
  run: () => 'found',
})

// @ts-expect-error what a handle holds changes while a result is kept
const using = defineTool({
  description: 'Searches.',
  hints,
  cache: '5m',
  uses: { basket },
  run: () => 'found',
})

// @ts-expect-error nothing is kept that could be shared
const sharedOnly = defineTool({
  description: 'Searches.',
  hints,
  shared: true,
  run: () => 'found',
})

// @ts-expect-error nothing is kept that could be stale
const staleOnly = defineTool({
  description: 'Searches.',
  hints,
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
  asking,
  using,
  sharedOnly,
  staleOnly,
  misspelt,
  wrongLive,
  wrongCached,
  wrongShared,
  ...plain,
]
