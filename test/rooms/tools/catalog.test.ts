import { describe, expect, it } from 'vitest'
import { catalog, findProduct } from '../../../tools/_catalog/catalog.ts'
import { toPriceList } from '../../../tools/_catalog/price-list.ts'
import { searchCatalog, type Search } from '../../../tools/_catalog/search.ts'

const skus = (search: Search) => searchCatalog(search).map(({ sku }) => sku)

describe('the catalog', () => {
  it('gives each product a SKU of its own, in one spelling', () => {
    expect(new Set(catalog.map(({ sku }) => sku)).size).toBe(catalog.length)
    expect(catalog.filter(({ sku }) => !/^[A-Z]{2}-\d{3}$/.test(sku))).toEqual([])
  })

  it('finds a product by its SKU whatever the letter case', () => {
    expect(findProduct('kn-101')?.name).toBe('Chef’s knife, 20 cm')
    expect(findProduct('KN-999')).toBeUndefined()
  })
})

describe('searchCatalog', () => {
  it.each<[string, Search, readonly string[]]>([
    ['matches every word', { query: 'bread knife' }, ['KN-104']],
    ['matches the start of a word', { query: 'sant' }, ['KN-102']],
    ['ignores accents and case', { query: 'SMALAND' }, ['CW-205']],
    ['takes a plural for its singular', { query: 'kettles' }, ['CT-505']],
    ['looks at materials and origin', { query: 'linen lithuania' }, ['UT-406']],
    ['finds a SKU', { query: 'tw-605' }, ['TW-605']],
    ['puts a hit in the name first', { query: 'tea' }, ['CT-506', 'CT-501', 'CT-502']],
    ['finds nothing for a word of no product', { query: 'lawnmower' }, []],
    ['finds nothing for words made of signs', { query: '((((' }, []],
    ['keeps to a shelf', { query: 'steel', category: 'baking' }, ['BK-304', 'BK-301', 'BK-305']],
    ['keeps to a price, inclusive', { query: 'japan', maxPriceCents: 3300 }, ['CT-502', 'CT-506']],
  ])('%s', (_, search, expected) => {
    expect(skus(search).slice(0, Math.max(expected.length, 1))).toEqual(expected)
  })
})

describe('the price list', () => {
  it('has every product once, under its shelf', () => {
    const list = toPriceList({ wrapsGifts: true })
    const rows = [...list.matchAll(/^\| ([A-Z]{2}-\d{3}) \|/gm)].map(([, sku]) => sku)
    expect(rows).toEqual(catalog.map(({ sku }) => sku))
    expect(list).toContain('## Coffee and tea\n\n| SKU | product | price | in stock |')
    expect(list).toContain('| KN-101 | Chef’s knife, 20 cm | 89.00 |')
  })
})
