import * as z from 'zod'

/** As many tools as are asked for, each with schemas of its own, as tools of one server have. */
export function createTools(count: number) {
  return Array.from({ length: count }, (_, index) => createTool(index))
}

/** A tool with three arguments that does next to nothing. */
export function createTool(index: number) {
  return {
    name: `tool_${index}`,
    description: `Says how much of what goes where: number ${index} of tools that do the same.`,
    input: z.object({
      item: z.string().describe('What is sent.'),
      count: z.number().int().describe('How many of it.'),
      place: z.string().optional().describe('Where it goes.'),
    }),
    output: z.object({ text: z.string() }),
    run: ({ item, count, place }: Input) => ({ text: `${count} ${item} to ${place}` }),
  }
}

interface Input {
  readonly item: string
  readonly count: number
  readonly place?: string | undefined
}
