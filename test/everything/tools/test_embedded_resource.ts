import { defineTool, embed } from 'helve'

export default defineTool({
  description: 'Returns one resource, embedded whole.',
  run: () =>
    embed({
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    }),
})
