import * as z from 'zod'
import { definePrompt } from '../../src/define/prompt.ts'
import { defineResource, type Resource } from '../../src/define/resource.ts'
import { form } from '../../src/define/elicitation.ts'
import type { Caller } from '../../src/protocol/caller.ts'

/* Only compiled: what must not compile is marked so. */

type Same<A, B> = [A, B] extends [B, A] ? true : false
const same = <A, B>(same: Same<A, B>): boolean => same

// the variables of a template are typed by its text
const order = defineResource({
  uri: 'shop://{shelf}/orders/{id}{?year,page}',
  mime: 'application/json',
  complete: { shelf: ({ value }) => [value], year: () => ({ values: ['2026'], total: 9 }) },
  read({ params, caller }) {
    same<typeof params.id, string>(true)
    same<typeof params.year, string | undefined>(true)
    same<typeof caller, Caller | null>(true)
    // @ts-expect-error the template has no such variable
    return params.nothing
  },
})

// a schema for them comes first
const product = defineResource({
  uri: 'shop://products/{number}',
  mime: 'application/json',
  params: z.object({ number: z.coerce.number() }),
  read({ params }) {
    same<typeof params, { number: number }>(true)
    return [{ text: String(params.number) }, { uri: 'shop://x', blob: new Uint8Array(1) }]
  },
})

// what everybody may be sent is read without knowing who asks
const catalog = defineResource({
  uri: 'shop://catalog',
  mime: 'text/markdown',
  shared: true,
  // @ts-expect-error a shared resource is not told who the caller is
  read: ({ caller }) => String(caller),
})

const rows = defineResource({
  uri: 'shop://rows/{id}',
  mime: 'text/plain',
  shared: true,
  // @ts-expect-error nor is its list
  list: ({ caller }) => ({ resources: [{ uri: 'shop://rows/1', name: String(caller) }] }),
  read: () => null,
})

// the last page may spell out that no page follows
const paged = defineResource({
  uri: 'shop://pages/{id}',
  mime: 'text/plain',
  list({ cursor, caller }) {
    same<typeof caller, Caller | null>(true)
    const next = cursor === undefined ? '2' : undefined
    return { resources: [{ uri: 'shop://pages/1', name: 'Page 1' }], next }
  },
  read: () => null,
})

const misspelt = defineResource({
  uri: 'shop://products/{sku}',
  mime: 'text/plain',
  // @ts-expect-error there is no variable of that name
  complete: { id: () => [] },
  read: () => 'text',
})

const wrong = defineResource({
  uri: 'shop://count',
  mime: 'text/plain',
  // @ts-expect-error a number is no content
  read: () => 42,
})

const asking = defineResource({
  uri: 'shop://orders/{id}',
  mime: 'text/plain',
  ask: ({ params }) => ({
    sure: form(`Show order ${params.id}?`, z.object({ show: z.boolean() })),
  }),
  read({ answers, params }) {
    same<typeof answers.sure, { show: boolean }>(true)
    // @ts-expect-error nothing of that name was asked
    return answers.show === undefined ? params.id : null
  },
})

const together = defineResource({
  uri: 'shop://together',
  mime: 'text/plain',
  shared: true,
  // @ts-expect-error what is shared cannot depend on anybody's answer
  ask: () => ({ sure: form('Sure?', z.object({ yes: z.boolean() })) }),
  read: () => 'text',
})

export const resources: readonly Resource[] = [
  order,
  product,
  catalog,
  rows,
  paged,
  misspelt,
  wrong,
  asking,
  together,
]

export const prompts = [
  definePrompt({
    description: 'Asks first.',
    input: z.object({ city: z.string() }),
    ask: ({ input }) => ({ when: form(`When in ${input.city}?`, z.object({ day: z.string() })) }),
    messages: ({ answers, input }) => `Plan ${answers.when.day} in ${input.city}.`,
  }),
  definePrompt({ description: 'Says hello.', messages: () => 'Hello' }),
  definePrompt({
    description: 'Plans a dinner.',
    input: z.object({ cuisine: z.enum(['thai', 'greek']), guests: z.coerce.number().optional() }),
    complete: { guests: ({ chosen }) => [chosen['cuisine'] ?? '2'] },
    messages({ input }) {
      same<typeof input.cuisine, 'thai' | 'greek'>(true)
      same<typeof input.guests, number | undefined>(true)
      return [
        { role: 'assistant', content: ['Hm', { type: 'text', text: input.cuisine }] },
        'Go on',
      ]
    },
  }),
  definePrompt({
    description: 'Has a completion for nothing.',
    input: z.object({ city: z.string() }),
    // @ts-expect-error there is no argument of that name
    complete: { town: () => [] },
    messages: () => 'Hello',
  }),
  definePrompt({
    description: 'Speaks as nobody.',
    // @ts-expect-error only the user and the assistant speak in prompts
    messages: () => [{ role: 'system', content: 'Hello' }],
  }),
]
