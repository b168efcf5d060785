import { defineTool, image } from 'helve'
import { redPixel } from './_media.ts'

export default defineTool({
  description: 'Returns one image block.',
  run: () => image(redPixel, 'image/png'),
})
