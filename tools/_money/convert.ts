import { referenceRates, type Currency } from './reference-rates.ts'

export interface Conversion {
  /** In units of the target currency, rounded to its smallest coin. */
  readonly amount: number
  /** Units of the target currency for one unit of the source currency. */
  readonly rate: number
}

/** Converts by way of the euro, as the reference rates are all quoted against it. */
export function convert(amount: number, from: Currency, to: Currency): Conversion {
  const rate = referenceRates.perEuro[to] / referenceRates.perEuro[from]
  return { amount: roundTo(amount * rate, decimalsOf(to)), rate: Number(rate.toPrecision(6)) }
}

// yen and won have no smaller coin, and Intl knows which others do not
function decimalsOf(currency: Currency): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

function roundTo(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}
