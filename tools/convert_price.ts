import { defineTool } from 'helve'
import * as z from 'zod'
import { convert } from './_money/convert.ts'
import { currencies, referenceRates } from './_money/reference-rates.ts'

export default defineTool({
  title: 'Convert a price',
  description:
    'Converts an amount of money between currencies at the euro reference rates of the European ' +
    `Central Bank of ${referenceRates.date}. The rates are fixed: good for comparing prices, not ` +
    'for what a bank will charge. Tell the user the date.',
  hints: { readOnly: true },
  // the same for the same arguments, until a deploy brings other rates
  cache: '1d',
  shared: true,
  input: z.strictObject({
    amount: z.number().min(0).max(1e9).describe('In units of `from`, such as 24.90.'),
    from: z.enum(currencies).default('EUR').describe('The shop’s own prices are in EUR.'),
    to: z.enum(currencies),
  }),
  output: z.object({
    amount: z.number().describe('In units of `to`, rounded to its smallest coin.'),
    currency: z.string(),
    rate: z.number().describe('Units of `to` for one unit of `from`.'),
    date: z.string().describe('The day of the rates, such as 2026-01-20.'),
    source: z.string(),
  }),
  run({ input: { amount, from, to } }) {
    const { date, source } = referenceRates
    return { ...convert(amount, from, to), currency: to, date, source }
  },
})
