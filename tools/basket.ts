import { defineHandle, ToolError } from 'helve'
import * as z from 'zod'
import { basketItem, sumCents, type BasketItem } from './_basket/item.ts'
import { currencies, type Currency } from './_money/reference-rates.ts'

export default defineHandle({
  name: 'basket',
  prefix: 'bsk',
  idle: '24h',
  max: '30d',
  state: z.object({
    currency: z.enum(currencies),
    items: z.array(basketItem).default([]),
    card: z.string().optional(),
  }),
  start: (currency: Currency) => ({ currency }),
  verbs: {
    add(state, added: BasketItem, stock: number) {
      const item = state.items.find(({ sku }) => sku === added.sku)
      const quantity = (item?.quantity ?? 0) + added.quantity
      // a verb is atomic, so two calls at once cannot both take the last piece into one basket
      if (quantity > stock) {
        throw new ToolError(
          `Nothing was added: ${quantity} of ${added.sku} would be in the basket, and the shop has ` +
            `${stock}. Add fewer, or find another product with search_catalog.`,
        )
      }
      if (item === undefined) state.items.push(added)
      else item.quantity = quantity
      return quantity
    },
    remove(state, sku: string) {
      const index = state.items.findIndex((item) => item.sku === sku)
      if (index === -1) {
        throw new ToolError(`No ${sku} is in the basket. See what is with view_basket.`)
      }
      state.items.splice(index, 1)
    },
    wrap(state, card: string) {
      state.card = card
    },
    total: (state) => sumCents(state.items),
  },
})
