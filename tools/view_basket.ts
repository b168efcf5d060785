import { defineTool } from 'helve'
import { bill, toBill } from './_basket/bill.ts'
import basket from './basket.ts'

export default defineTool({
  title: 'View a basket',
  description:
    'Lists what is in a basket and what it comes to. Prices are those of when a product was added. ' +
    'Show it to the user before checkout.',
  hints: { readOnly: true },
  uses: { basket },
  output: bill,
  run: async ({ use }) => toBill(await use.basket.read()),
})
