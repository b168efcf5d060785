import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDeadLinks } from '../../site/links.ts'
import { readSections, toLandingMarkdown, toSiteList, toSiteMarkdown } from '../../site/pages.ts'

const url = 'https://github.com/somebody/helve'
const pages = readSections().flatMap((section) => section.pages)
const tools = pages.find(({ slug }) => slug === 'tools')
if (tools === undefined) throw new Error('llms.txt does not list docs/tools.md.')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-site-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/style.css'), '')
})
afterAll(() => rm(folder, { recursive: true }))

test('a link of the site that leads nowhere is found, with its page', async () => {
  await writeFile(
    join(folder, 'index.html'),
    `<link href="/assets/style.css"><a href="/a">a</a><a href="/a#here">b</a><a href="#top" id="top">c</a>
     <a href="https://example.com/gone">d</a><a href="/gone">e</a><a href="/a#gone">f</a><img src="/gone.png">
     <a href="./a.html#here">g</a><a href="#gone">h</a>`,
  )
  await writeFile(join(folder, 'a.html'), '<h1 id="here">A</h1><a href="/">home</a>')
  expect(findDeadLinks(folder)).toEqual([
    'index.html: /gone',
    'index.html: /a#gone',
    'index.html: /gone.png',
    'index.html: #gone',
  ])
})

test('a page links to pages of the site, and for anything else to the repository', () => {
  const text = toSiteMarkdown({ ...tools, source: 'docs/architecture.md' }, pages, url)
  expect(text).toContain('](./storage.md#the-hub)')
  expect(text).toContain(`](${url}/blob/main/src/serve/fetch.ts)`)
  expect(text).not.toContain('](../')
})

test('a page has its title, its description and the file to edit', () => {
  const text = toSiteMarkdown(tools, pages, url)
  const [, matter = ''] = /^---\n([^]+?)\n---\n/.exec(text) ?? []
  expect(JSON.parse(matter)).toEqual({
    title: 'Tools',
    description: expect.stringMatching(/^Schemas, .+\.$/),
    edit: `${url}/edit/main/docs/tools.md`,
  })
})

test('the landing page is the beginning of the README', () => {
  const text = toLandingMarkdown(pages, url)
  const [, matter = ''] = /^---\n([^]+?)\n---\n/.exec(text) ?? []
  expect(JSON.parse(matter).hero).toMatchObject({
    name: 'Helve',
    text: 'A framework for MCP servers on Cloudflare Workers',
  })
  expect(text).toContain('npm create helve@latest my-server')
  expect(text).toContain('## What it does that others do not')
  expect(text).not.toContain('## Documentation')
})

test('the list for models leads to the Markdown of the site', () => {
  expect(toSiteList()).toContain('](/tools.md)')
  expect(toSiteList()).not.toContain('docs/')
})
