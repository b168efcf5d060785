import { definePrompt, embed, form } from 'helve'
import * as z from 'zod'
import { toPriceList } from './_catalog/price-list.ts'
import { isOn } from './_flags/is-on.ts'
import { dishes } from './_dinner/dishes.ts'
import { toPlanRequest } from './_dinner/plan-request.ts'
import { seasons } from './_dinner/seasons.ts'

const diet = z.object({
  without: z.string().max(200).optional().describe('Such as "nuts, pork". Leave it empty if not.'),
})

export default definePrompt({
  title: 'Plan a dinner',
  description: 'Plans a dinner for guests around one dish: menu, timetable, and what it takes.',
  input: z.object({
    dish: z.string().min(2).max(80).describe('The main dish, from the list or any other.'),
    guests: z.coerce.number().int().min(1).max(12).default(4).describe('How many, 4 unless said.'),
    season: z.enum(seasons).optional(),
  }),
  complete: {
    dish: ({ value }) =>
      dishes
        .map(({ name }) => name)
        .filter((name) => name.toLowerCase().includes(value.toLowerCase())),
  },
  // the answer is optional: some clients cannot ask, and some users decline
  ask: ({ can }) =>
    can.form
      ? { diet: form('Is there anything a guest does not eat?', diet, { declined: 'tell' }) }
      : {},
  async messages({ input, answers: { diet }, env }) {
    const without = diet?.action === 'accept' ? diet.content.without : undefined
    return {
      role: 'user',
      content: [
        toPlanRequest(input, without),
        embed({
          uri: 'shop://catalog',
          mimeType: 'text/markdown',
          text: toPriceList({ wrapsGifts: await isOn(env.FLAGS, 'gift_wrap') }),
        }),
      ],
    }
  },
})
