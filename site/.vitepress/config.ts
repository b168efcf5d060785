import { defineConfig } from 'vitepress'
import { readRepository, readSections, toAnchor } from '../pages.ts'

const url = readRepository()
const sections = readSections()

// the handle of an axe
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M4 15 11 2" stroke="#9a4a12" stroke-width="2.6" stroke-linecap="round"/><path d="m8 1 6 3-1 4-6-3z" fill="#888"/></svg>'

export default defineConfig({
  lang: 'en',
  title: 'Helve',
  description: 'A framework for MCP servers on Cloudflare Workers.',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  srcDir: '.pages',
  cleanUrls: true,
  markdown: {
    anchor: { slugify: toAnchor },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Tools', link: '/tools' },
      { text: 'Limits and errors', link: '/reference' },
    ],
    sidebar: sections.map(({ name, pages }) => ({
      text: name === 'Optional' ? 'Project' : name,
      items: pages.map(({ title, slug }) => ({ text: toShort(title), link: `/${slug}` })),
    })),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: url, ariaLabel: 'Repository' }],
    editLink: {
      // it runs in the browser, and can read nothing else of this file
      pattern: ({ frontmatter }) => frontmatter['edit'],
      text: 'Edit this page',
    },
    // in the browser, from an index that is part of the site
    search: { provider: 'local' },
  },
})

/** A title as the sidebar has room for it: without what follows a colon or a comma. */
function toShort(title: string): string {
  return title.split(/[:,]/, 1)[0] ?? title
}
