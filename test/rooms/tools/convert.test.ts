import { describe, expect, it } from 'vitest'
import { convert } from '../../../tools/_money/convert.ts'
import { currencies, type Currency } from '../../../tools/_money/reference-rates.ts'

describe('convert', () => {
  it.each<[string, number, Currency, Currency, number, number]>([
    ['multiplies by the rate from euros', 100, 'EUR', 'USD', 117.28, 1.1728],
    ['divides by the rate into euros', 117.28, 'USD', 'EUR', 100, 0.85266],
    ['crosses two rates by way of the euro', 10, 'GBP', 'CHF', 10.63, 1.0626],
    ['rounds to whole yen', 19.99, 'EUR', 'JPY', 3702, 185.18],
    ['leaves an amount in its own currency alone', 24.9, 'SEK', 'SEK', 24.9, 1],
    ['takes nothing for nothing', 0, 'EUR', 'INR', 0, 106.677],
  ])('%s', (_, amount, from, to, expected, rate) => {
    const converted = convert(amount, from, to)
    expect(converted.amount).toBe(expected)
    expect(converted.rate).toBeCloseTo(rate, 4)
  })

  it('knows every currency that it lists', () => {
    const unknown = currencies.filter((to) => !(convert(1, 'EUR', to).rate > 0))
    expect(unknown).toEqual([])
  })
})
