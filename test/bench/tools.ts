import * as z from 'zod'

/** Twenty tools with three arguments, of which the one that is called does next to nothing. */
export const names = Array.from({ length: 20 }, (_, index) => `tool_${index}`)

export const description =
  'Says how much of what goes where, as one of twenty tools that do the same.'

export const input = z.object({
  item: z.string().describe('What is sent.'),
  count: z.number().int().describe('How many of it.'),
  place: z.string().optional().describe('Where it goes.'),
})

export const output = z.object({ text: z.string() })

export function run({ item, count, place }: z.infer<typeof input>): z.infer<typeof output> {
  return { text: `${count} ${item} to ${place}` }
}
