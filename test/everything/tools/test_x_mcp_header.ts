import { defineTool } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Takes two arguments that clients repeat in headers, for routing.',
  input: z.object({
    region: z.string().optional().meta({ 'x-mcp-header': 'Region' }),
    level: z.int().optional().meta({ 'x-mcp-header': 'Level' }),
  }),
  run: ({ input: { region = 'none', level = 0 } }) => `Region ${region}, level ${level}.`,
})
