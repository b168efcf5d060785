import { defineHandle } from 'helve'
import * as z from 'zod'
import { sumCents } from './_products.ts'

const item = z.object({ sku: z.string(), cents: z.int(), quantity: z.int() })

// a Durable Object for each basket, which ends after a day without use
export default defineHandle({
  name: 'basket',
  prefix: 'bsk',
  idle: '24h',
  max: '30d',
  state: z.object({ items: z.array(item) }),
  start: () => ({ items: [] }),
  verbs: {
    add(state, added: z.infer<typeof item>) {
      const known = state.items.find(({ sku }) => sku === added.sku)
      if (known === undefined) state.items.push(added)
      else known.quantity += added.quantity
      return state.items.length
    },
    total: ({ items }) => sumCents(items),
  },
})
