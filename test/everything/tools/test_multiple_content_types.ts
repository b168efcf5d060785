import { defineTool, embed, image, text } from 'helve'
import { redPixel } from './_media.ts'

export default defineTool({
  description: 'Returns text, an image and a resource in one result.',
  run: () => [
    text('Multiple content types test:'),
    image(redPixel, 'image/png'),
    embed({
      uri: 'test://mixed-content-resource',
      mimeType: 'application/json',
      text: '{"test":"data","value":123}',
    }),
  ],
})
