import { definePrompt } from 'helve'

export default definePrompt({
  description: 'One message without arguments.',
  messages: () => 'This is a simple prompt for testing.',
})
