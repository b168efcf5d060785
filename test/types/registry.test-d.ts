import * as z from 'zod'
import { defineHandle } from '../../src/define/handle.ts'
import { optional } from '../../src/define/handles.ts'
import { definePrompt } from '../../src/define/prompt.ts'
import type { DefinitionTypes, Registry } from '../../src/define/registry.ts'
import { defineResource } from '../../src/define/resource.ts'
import { defineTool, type Tool } from '../../src/define/tool.ts'
import { form } from '../../src/define/elicitation.ts'
import type { AnswersTo } from '../../src/define/question.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { createWorker, type WorkerFetch } from '../../src/server.ts'
import type { Definitions } from '../../.helve/registry.ts'
import shop from '../../src/worker.ts'

/* Only compiled: what a definition says of itself to those who call it from code. */

type Same<A, B> = [A, B] extends [B, A] ? true : false
const same = <A, B>(same: Same<A, B>): boolean => same

type Arguments<T> = T extends Tool<infer A> ? A : never
type Value<T> = T extends Tool<unknown, infer V> ? V : never
type Asked<T> = T extends Tool<unknown, unknown, infer Q> ? Q : never

const basket = defineHandle({
  name: 'basket',
  prefix: 'bsk',
  idle: '24h',
  state: z.object({}),
  start: () => ({}),
  verbs: {},
})
const cart = defineHandle({
  name: 'cart',
  scope: 'caller',
  idle: '24h',
  state: z.object({}),
  start: () => ({}),
  verbs: {},
})

const checkout = defineTool({
  description: 'Pays.',
  uses: { basket, gift: optional(basket), cart },
  input: z.object({ page: z.coerce.number<string>().default(1), note: z.string() }),
  output: z.object({ at: z.string().default('now') }),
  ask: ({ input }) => ({
    confirm: form(`${input.note}?`, z.object({ pay: z.boolean() })),
    ...(input.page > 1 && { reason: form('Why?', z.object({ why: z.string() })) }),
  }),
  run: () => ({}),
})
same<
  Arguments<typeof checkout>,
  { page?: string | undefined; note: string; basket: string; gift?: string }
>(true)
same<Value<typeof checkout>, { at: string }>(true)
same<AnswersTo<Asked<typeof checkout>>, { confirm: { pay: boolean }; reason?: { why: string } }>(
  true,
)

same<Arguments<Definitions['tools']['checkout']>, { basket: string }>(true)

const bare = defineTool({ description: 'Says hello.', run: () => 'hello' })
same<Arguments<typeof bare>, Readonly<Record<string, never>>>(true)
same<Value<typeof bare>, undefined>(true)

const text = defineTool({ description: 'Says hello.', output: z.string(), run: () => 'hello' })
same<Value<typeof text>, string>(true)

const plain = defineTool({
  description: 'Has a JSON Schema.',
  input: { type: 'object' },
  output: { type: 'object' },
  run: () => ({ any: 1 }),
})
same<Arguments<typeof plain>, JsonObject>(true)
same<unknown, Value<typeof plain>>(true)

const union = defineTool({
  description: 'Changes a basket.',
  uses: { basket },
  input: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('add'), sku: z.string() }),
    z.object({ kind: z.literal('count'), count: z.number() }),
  ]),
  run: () => 'done',
})
same<
  Arguments<typeof union>,
  { kind: 'add'; sku: string; basket: string } | { kind: 'count'; count: number; basket: string }
>(true)

const note = defineResource({ uri: 'note://{id}', mime: 'text/plain', read: () => '' })
const plan = definePrompt({
  description: 'Plans.',
  input: z.object({ guests: z.coerce.number<string>() }),
  messages: () => '',
})

// each kind of definition fits the registry
const types = {
  tools: { checkout, bare, text, plain, union },
  resources: { 'note://{id}': note },
  prompts: { plan },
} satisfies DefinitionTypes

declare const registry: Registry<typeof types>
const worker = createWorker({ name: 'a', version: '1', registry })
same<typeof worker.fetch, WorkerFetch<typeof types>>(true)

// what the build writes reaches the default export of the main module
same<typeof shop.fetch, WorkerFetch<Definitions>>(true)
same<
  Arguments<Definitions['tools']['add_item']>,
  { basket: string; sku: string; quantity?: number | undefined }
>(true)
same<Value<Definitions['tools']['create_basket']>, { basket: string; currency: string }>(true)

// a registry without types, such as one of an earlier build, is accepted
declare const untyped: Registry
same<ReturnType<typeof createWorker<unknown>>['fetch'], WorkerFetch>(true)
export default createWorker({ name: 'a', version: '1', registry: untyped })
