export const categories = [
  'knives',
  'cookware',
  'baking',
  'utensils',
  'coffee and tea',
  'tableware',
] as const

export type Category = (typeof categories)[number]

/** A product in the file of its shelf; the shelf is its category. */
export interface Item {
  /** Two letters for the shelf and three digits, such as `KN-101`. */
  readonly sku: string
  readonly name: string
  readonly description: string
  readonly madeIn: string
  /** Euro cents, value-added tax included. */
  readonly priceCents: number
  readonly weightGrams: number
  readonly materials: readonly string[]
  readonly care: string
  /** Pieces in the warehouse. */
  readonly stock: number
}

export interface Product extends Item {
  readonly category: Category
}
