import { defineTool } from 'helve'
import * as z from 'zod'
import { isOn } from './_flags/is-on.ts'
import basket from './basket.ts'

export default defineTool({
  title: 'Wrap as a gift',
  description:
    'Has everything in a basket wrapped as a gift, with a card, free of charge. A basket has one ' +
    'card: a new text takes the place of the one before. Ask the user what the card should say.',
  hints: { idempotent: true },
  // switched with `wrangler kv key put`, without a deploy; src/worker.ts notifies clients
  visible: ({ env }) => isOn(env.FLAGS, 'gift_wrap'),
  uses: { basket },
  input: z.strictObject({
    card: z.string().trim().min(1).max(200).describe('What the card says, word for word.'),
  }),
  output: z.object({ card: z.string() }),
  async run({ input: { card }, use }) {
    await use.basket.wrap(card)
    return { card }
  },
})
