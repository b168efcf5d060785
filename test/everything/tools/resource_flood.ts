import { defineTool } from 'helve'
import * as z from 'zod'
import { ticks } from './_wait.ts'

// what happens within 100 ms is told at once, so that more than that has to lie between two rounds
const roundMs = 120

export default defineTool({
  description: 'Tells of many updates, round after round: more than a slow reader takes.',
  input: z.object({ uris: z.array(z.string()), rounds: z.int().min(1).max(100) }),
  timeout: '60s',
  async run({ input: { uris, rounds }, notify }) {
    for await (const round of ticks(roundMs)) {
      if (round > rounds) break
      await Promise.all(uris.map((uri) => notify.resourceUpdated(uri)))
    }
    return `Told of ${uris.length * rounds} updates.`
  },
})
