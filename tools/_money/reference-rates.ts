/** Euro foreign exchange reference rates of the European Central Bank: units for one euro. */
export const referenceRates = {
  date: '2026-01-20',
  source: 'European Central Bank',
  perEuro: {
    AUD: 1.742,
    BRL: 6.3209,
    CAD: 1.6215,
    CHF: 0.9268,
    CNY: 8.1614,
    CZK: 24.333,
    DKK: 7.4708,
    EUR: 1,
    GBP: 0.8722,
    HKD: 9.1456,
    HUF: 385.85,
    IDR: 19874.44,
    ILS: 3.7156,
    INR: 106.677,
    ISK: 146.2,
    JPY: 185.18,
    KRW: 1731.99,
    MXN: 20.6693,
    MYR: 4.7551,
    NOK: 11.7155,
    NZD: 2.0098,
    PHP: 69.527,
    PLN: 4.2273,
    RON: 5.0924,
    SEK: 10.708,
    SGD: 1.5045,
    THB: 36.456,
    TRY: 50.7505,
    USD: 1.1728,
    ZAR: 19.2821,
  },
} as const

export type Currency = keyof typeof referenceRates.perEuro

export const currencies: readonly Currency[] = Object.keys(referenceRates.perEuro).filter(
  isCurrency,
)

function isCurrency(code: string): code is Currency {
  return Object.hasOwn(referenceRates.perEuro, code)
}
