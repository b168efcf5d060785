/*
 * Builds the site into site/.vitepress/dist, and fails if a link of it leads nowhere: `npm run docs`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vitepress'
import { findDeadLinks } from './links.ts'
import {
  readRepository,
  readSections,
  toLandingMarkdown,
  toSiteList,
  toSiteMarkdown,
} from './pages.ts'

const site = import.meta.dirname
const url = readRepository()
const pages = readSections().flatMap((section) => section.pages)
const markdown = pages.map((page) => ({
  file: `${page.slug}.md`,
  text: toSiteMarkdown(page, pages, url),
}))

const source = join(site, '.pages')
rmSync(source, { recursive: true, force: true })
mkdirSync(source)
for (const { file, text } of [
  ...markdown,
  { file: 'index.md', text: toLandingMarkdown(pages, url) },
]) {
  writeFileSync(join(source, file), text)
}

await build(site)

const built = join(site, '.vitepress/dist')
// for models: a list of the pages, each of them as Markdown, and all of them in one file
for (const { file, text } of [
  ...markdown,
  { file: 'llms.txt', text: toSiteList() },
  { file: 'llms-full.txt', text: markdown.map(({ text: page }) => page).join('\n') },
]) {
  writeFileSync(join(built, file), text)
}

const dead = findDeadLinks(built)
for (const link of dead) process.stderr.write(`${link}\n`)
if (dead.length > 0) process.exitCode = 1
else process.stdout.write(`${pages.length + 1} pages in site/.vitepress/dist\n`)
