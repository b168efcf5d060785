import * as z from 'zod'

/** Some pieces of one product, at the price that it had when it was put into the basket. */
export const basketItem = z.object({
  sku: z.string(),
  name: z.string(),
  priceCents: z.int().nonnegative(),
  quantity: z.int().positive(),
})

export type BasketItem = z.infer<typeof basketItem>

/** What the items cost together, in euro cents. */
export function sumCents(items: readonly BasketItem[]): number {
  return items.reduce((cents, { priceCents, quantity }) => cents + priceCents * quantity, 0)
}
