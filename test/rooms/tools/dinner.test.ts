import { describe, expect, it } from 'vitest'
import { catalog } from '../../../tools/_catalog/catalog.ts'
import { dishes } from '../../../tools/_dinner/dishes.ts'
import { toPlanRequest } from '../../../tools/_dinner/plan-request.ts'

describe('the dishes', () => {
  it('need only what the shop sells', () => {
    const skus = new Set(catalog.map(({ sku }) => sku))
    const unknown = dishes.flatMap((dish) => dish.skus).filter((sku) => !skus.has(sku))
    expect(unknown).toEqual([])
  })
})

describe('toPlanRequest', () => {
  it('names the dish, the guests, the season and what to leave out', () => {
    const request = toPlanRequest({ dish: 'Polenta', guests: 6, season: 'autumn' }, ' nuts ')
    expect(request).toMatch(/^Plan a dinner for 6 in autumn, with Polenta as the main dish\./)
    expect(request).toContain('Leave out: nuts.')
    expect(request).not.toContain('The shop suggests')
  })

  it('suggests products for a dish that the shop knows, whatever its letter case', () => {
    const request = toPlanRequest({ dish: 'mushroom Risotto', guests: 2 }, undefined)
    expect(request).toContain('The shop suggests CW-203, UT-402, UT-405 for this dish.')
    expect(request).not.toContain('Leave out')
  })

  it('leaves out nothing by default', () => {
    expect(toPlanRequest({ dish: 'Ramen', guests: 1 }, '  ')).not.toContain('Leave out')
  })
})
