import * as z from 'zod'
import { convert } from '../_money/convert.ts'
import type { Currency } from '../_money/reference-rates.ts'
import { sumCents, type BasketItem } from './item.ts'

/** The total of a basket, as tools return it. */
export const bill = z.object({
  items: z.array(
    z.object({
      sku: z.string(),
      name: z.string(),
      quantity: z.int(),
      priceEur: z.number().describe('For one piece.'),
    }),
  ),
  totalEur: z.number(),
  total: z.number().describe('In the currency of the basket.'),
  currency: z.string(),
  card: z.string().optional().describe('What the card says, where it is to be wrapped as a gift.'),
})

export type Bill = z.infer<typeof bill>

/** Adds up a basket. Prices are in euros; the currency of the basket is that of its total. */
export function toBill(basket: {
  readonly currency: Currency
  readonly items: readonly BasketItem[]
  readonly card?: string | undefined
}): Bill {
  const { currency, items, card } = basket
  const totalEur = sumCents(items) / 100
  return {
    items: items.map(({ sku, name, quantity, priceCents }) => ({
      sku,
      name,
      quantity,
      priceEur: priceCents / 100,
    })),
    totalEur,
    total: convert(totalEur, 'EUR', currency).amount,
    currency,
    ...(card !== undefined && { card }),
  }
}
