import { catalog } from './catalog.ts'
import type { Category, Product } from './product.ts'

export interface Search {
  readonly query: string
  readonly category?: Category | undefined
  readonly maxPriceCents?: number | undefined
}

/** Returns the products that contain every word of the query, matches in the name first. */
export function searchCatalog({ query, category, maxPriceCents }: Search): readonly Product[] {
  const wanted = toWords(query)
  if (wanted.length === 0) return []
  return catalog
    .filter((product) => category === undefined || product.category === category)
    .filter((product) => maxPriceCents === undefined || product.priceCents <= maxPriceCents)
    .filter((product) => hits(toWords(textOf(product)), wanted) === wanted.length)
    .map((product) => ({ product, inName: hits(toWords(product.name), wanted) }))
    .toSorted((a, b) => b.inName - a.inName)
    .map(({ product }) => product)
}

function textOf({ sku, name, category, madeIn, materials, description }: Product): string {
  return [sku, name, category, madeIn, ...materials, description].join(' ')
}

function hits(words: readonly string[], wanted: readonly string[]): number {
  return wanted.filter((start) => words.some((word) => matches(word, start))).length
}

// short words match only whole words: "tea" is not the beginning of "tear"
function matches(word: string, start: string): boolean {
  return start.length > 3 ? word.startsWith(start) : word === start
}

// "Pâtés" and "pate" are the same word: accents, case and a plural s are ignored
function toWords(text: string): readonly string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/(?<=..)s$/, ''))
}
