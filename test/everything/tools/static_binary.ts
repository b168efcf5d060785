import { defineResource } from 'helve'
import { redPixel } from './_media.ts'

export default defineResource({
  uri: 'test://static-binary',
  title: 'Static image',
  description: 'An image that never changes.',
  mime: 'image/png',
  cache: '1h',
  shared: true,
  read: () => ({ blob: redPixel }),
})
