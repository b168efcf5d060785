import { defineTool, ToolError } from 'helve'
import * as z from 'zod'

export default defineTool({
  description: 'Says what must not go out: colours, letters that nobody sees, and a secret.',
  input: z.object({ as: z.enum(['result', 'tool-error', 'error']) }),
  run({ input, env }) {
    const hidden = String.fromCodePoint(0xe0069, 0xe0067, 0xe006e)
    const text = `\u001B[31mred\u001B[0m ${hidden}and ${env.SIGNING_KEY}.`
    if (input.as === 'tool-error') throw new ToolError(text)
    if (input.as === 'error') throw new Error(text)
    return text
  },
})
