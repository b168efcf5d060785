// begins with "_", so it is not a tool: several of them import it
export const products = [
  { sku: 'KN-101', name: 'Chef’s knife, 20 cm', cents: 8900 },
  { sku: 'KN-102', name: 'Bread knife', cents: 5400 },
  { sku: 'PN-201', name: 'Iron pan, 28 cm', cents: 6200 },
  { sku: 'BD-301', name: 'Oak board', cents: 3900 },
]

export type Product = (typeof products)[number]

/** Adds up the prices of items in a basket. */
export function sumCents(items: readonly { cents: number; quantity: number }[]): number {
  return items.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0)
}

export function findProduct(sku: string): Product | undefined {
  return products.find((product) => product.sku === sku)
}
