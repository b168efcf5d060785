import { audio, defineTool } from 'helve'
import { silence } from './_media.ts'

export default defineTool({
  description: 'Returns one audio block.',
  run: () => audio(silence, 'audio/wav'),
})
