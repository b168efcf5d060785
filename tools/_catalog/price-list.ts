import { catalog } from './catalog.ts'
import { categories, type Category, type Product } from './product.ts'

export interface Services {
  /** Whether the shop wraps gifts at the moment. */
  readonly wrapsGifts: boolean
}

/** The whole catalog in Markdown, a table for each shelf. */
export function toPriceList({ wrapsGifts }: Services): string {
  const services = wrapsGifts ? ['Gifts are wrapped free of charge, with a card.'] : []
  const shelves = categories.map(toShelf)
  return ['# Catalog', 'Prices are in euros, with tax.', ...services, ...shelves].join('\n\n')
}

function toShelf(category: Category): string {
  const rows = catalog.filter((product) => product.category === category).map(toRow)
  const title = category.replace(/^./, (letter) => letter.toUpperCase())
  return [
    `## ${title}\n`,
    '| SKU | product | price | in stock |',
    '|---|---|--:|--:|',
    ...rows,
  ].join('\n')
}

function toRow({ sku, name, priceCents, stock }: Product): string {
  return `| ${sku} | ${name} | ${(priceCents / 100).toFixed(2)} | ${stock} |`
}
