import { defineResource } from 'helve'

export default defineResource({
  uri: 'test://watched-resource',
  title: 'Watched resource',
  description: 'A text whose updates can be subscribed to; resource_touch publishes one.',
  mime: 'text/plain',
  read: () => 'Watched resource content.',
})
