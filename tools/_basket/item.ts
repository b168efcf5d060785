import * as z from 'zod'

/** A number of pieces of one product, at the price of the moment when they were added. */
export const basketItem = z.object({
  sku: z.string(),
  name: z.string(),
  priceCents: z.int().nonnegative(),
  quantity: z.int().positive(),
})

export type BasketItem = z.infer<typeof basketItem>

/** Returns the total of the items in euro cents. */
export function sumCents(items: readonly BasketItem[]): number {
  return items.reduce((cents, { priceCents, quantity }) => cents + priceCents * quantity, 0)
}
