import { defineTool } from 'helve'
import * as z from 'zod'
import { currencies } from './_money/reference-rates.ts'
import basket from './basket.ts'

export default defineTool({
  title: 'Create a basket',
  description:
    'Creates an empty basket and returns its id, which every other tool for baskets asks for. One ' +
    `basket is enough for one purchase. ${basket.note} Whoever has the id can use the basket.`,
  input: z.strictObject({
    currency: z
      .enum(currencies)
      .default('EUR')
      .describe('What the total is shown and charged in. Prices of products are in EUR.'),
  }),
  output: z.object({ basket: z.string().describe('The id.'), currency: z.string() }),
  async run({ input: { currency }, create }) {
    const { id } = await create(basket, currency)
    return { basket: id, currency }
  },
})
