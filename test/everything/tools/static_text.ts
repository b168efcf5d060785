import { defineResource } from 'helve'

export default defineResource({
  uri: 'test://static-text',
  title: 'Static text',
  description: 'A text that never changes.',
  mime: 'text/plain',
  cache: '1h',
  shared: true,
  read: () => 'This is the content of the static text resource.',
})
