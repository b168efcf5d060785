import { defineTool } from 'helve'

// not read-only, so that a first sign-in is not told to ask for its scope
export default defineTool({
  description: 'Says hello. Needs admin, which may do whatever a and b may.',
  scopes: ['admin'],
  run: () => 'hello',
})
