import { definePrompt, image } from 'helve'
import { redPixel } from './_media.ts'

export default definePrompt({
  description: 'Two messages, the first with an image.',
  messages: () => [
    { role: 'user', content: image(redPixel, 'image/png') },
    'Please analyze the image above.',
  ],
})
