import { describe, expect, it } from 'vitest'
import { toBill } from '../../../tools/_basket/bill.ts'
import { toCheckoutQuestions } from '../../../tools/_basket/checkout-questions.ts'
import type { BasketItem } from '../../../tools/_basket/item.ts'
import { toMoney } from '../../../tools/_money/to-money.ts'

const knife: BasketItem = { sku: 'KN-101', name: 'Chef’s knife', priceCents: 8900, quantity: 2 }
const towel: BasketItem = { sku: 'UT-406', name: 'Towels', priceCents: 2950, quantity: 1 }

const large = [{ ...knife, quantity: 6 }]

const ask = (items: readonly BasketItem[], confirmed?: unknown) =>
  toCheckoutQuestions(toBill({ currency: 'EUR', items }), confirmed)
const message = (text: string) => ({ request: { params: { message: text } } })

describe('toBill', () => {
  it('adds up in euros and shows the total in the basket’s own currency', () => {
    expect(toBill({ currency: 'USD', items: [knife, towel] })).toEqual({
      items: [
        { sku: 'KN-101', name: 'Chef’s knife', quantity: 2, priceEur: 89 },
        { sku: 'UT-406', name: 'Towels', quantity: 1, priceEur: 29.5 },
      ],
      totalEur: 207.5,
      total: 243.36,
      currency: 'USD',
    })
  })

  it('says what the card says, where there is one', () => {
    expect(toBill({ currency: 'EUR', items: [], card: 'For Ida' }).card).toBe('For Ida')
  })

  it('is nothing for an empty basket', () => {
    expect(toBill({ currency: 'EUR', items: [] })).toMatchObject({ items: [], total: 0 })
  })
})

describe('toMoney', () => {
  it.each([
    [1290.5, 'EUR', '€1,290.50'],
    [4611, 'JPY', '¥4,611'],
  ])('prints %d %s as %s', (amount, currency, printed) => {
    expect(toMoney(amount, currency)).toBe(printed)
  })
})

describe('toCheckoutQuestions', () => {
  it('asks whether to pay, with the total', () => {
    expect(ask([towel]).confirm).toMatchObject(message('Pay €29.50 for 1 piece?'))
    expect(ask([knife, towel]).confirm).toMatchObject(message('Pay €207.50 for 3 pieces?'))
  })

  it('asks what a large order is for, once the user has said to pay', () => {
    expect(ask(large, { pay: true }).reason).toMatchObject(message(expect.stringContaining('for?')))
  })

  it.each([
    ['before the user has said to pay', large, undefined],
    ['of a user who does not pay', large, { pay: false }],
    ['for a small order', [knife], { pay: true }],
  ])('does not ask for a reason %s', (_, items, confirmed) => {
    expect(ask(items, confirmed).reason).toBeUndefined()
  })
})
