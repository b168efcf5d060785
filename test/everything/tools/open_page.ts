import { defineTool, link } from 'helve'

export default defineTool({
  description: 'Asks the user to open a page, then returns.',
  ask: () => ({ page: link('Sign in on this page.', 'https://example.com/sign-in') }),
  run: () => 'The user opened the page.',
})
