import { definePrompt, embed } from 'helve'
import * as z from 'zod'

export default definePrompt({
  description: 'Two messages, the first with a resource embedded in it.',
  input: z.object({ resourceUri: z.string().describe('The URI of the resource to embed.') }),
  messages: ({ input }) => [
    {
      role: 'user',
      content: embed({
        uri: input.resourceUri,
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      }),
    },
    'Please process the embedded resource above.',
  ],
})
