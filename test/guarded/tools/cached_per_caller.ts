import { defineResource } from 'helve'

export default defineResource({
  uri: 'guarded://cached-per-caller',
  description: 'Who reads this. Clients may keep it for a minute, and no cache that others share.',
  mime: 'text/plain',
  cache: '1m',
  read: ({ caller }) => caller?.subject ?? 'nobody',
})
