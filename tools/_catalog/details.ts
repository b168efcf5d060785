import type { Product } from './product.ts'

/** A product as tools return it, with its price in euros. */
export type Details = Omit<Product, 'priceCents'> & { readonly priceEur: number }

export function toDetails({ priceCents, ...rest }: Product): Details {
  return { ...rest, priceEur: priceCents / 100 }
}
