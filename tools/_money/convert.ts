import { referenceRates, type Currency } from './reference-rates.ts'

export interface Conversion {
  /** In units of the target currency, rounded to its smallest coin. */
  readonly amount: number
  /** Units of the target currency for one unit of the source currency. */
  readonly rate: number
}

/** Converts through the euro, in which all reference rates are quoted. */
export function convert(amount: number, from: Currency, to: Currency): Conversion {
  const rate = referenceRates.perEuro[to] / referenceRates.perEuro[from]
  const decimals = withoutCoins.has(to) ? 0 : 2
  return { amount: roundTo(amount * rate, decimals), rate: Number(rate.toPrecision(6)) }
}

/** Currencies without a smaller coin. Intl knows them too, but is slower than the rest of the tool. */
const withoutCoins: ReadonlySet<Currency> = new Set(['HUF', 'IDR', 'ISK', 'JPY', 'KRW'])

function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}
