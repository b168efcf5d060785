import { categories, type Category, type Item, type Product } from './product.ts'
import { baking } from './shelves/baking.ts'
import { coffeeAndTea } from './shelves/coffee-and-tea.ts'
import { cookware } from './shelves/cookware.ts'
import { knives } from './shelves/knives.ts'
import { tableware } from './shelves/tableware.ts'
import { utensils } from './shelves/utensils.ts'

const shelves: Readonly<Record<Category, readonly Item[]>> = {
  knives,
  cookware,
  baking,
  utensils,
  'coffee and tea': coffeeAndTea,
  tableware,
}

/** Everything the shop sells, shelf by shelf. */
export const catalog: readonly Product[] = categories.flatMap((category) =>
  shelves[category].map(toProduct(category)),
)

/** Returns the product with this SKU, in any letter case. */
export function findProduct(sku: string): Product | undefined {
  const wanted = sku.toUpperCase()
  return catalog.find((product) => product.sku === wanted)
}

function toProduct(category: Category): (item: Item) => Product {
  return (item) => ({ ...item, category })
}
