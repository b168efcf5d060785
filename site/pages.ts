import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/** A page of the site. */
export interface SitePage {
  readonly title: string
  /** Its Markdown, from the root of the repository, such as `docs/tools.md`. */
  readonly source: string
  /** Its name on the site, without an extension, such as `tools`. */
  readonly slug: string
  readonly description: string
}

export interface Section {
  readonly name: string
  readonly pages: readonly SitePage[]
}

export const root: string = dirname(import.meta.dirname)

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The sections of llms.txt: the one list of all pages, each with its description. */
export function readSections(): readonly Section[] {
  const [, ...sections] = read('llms.txt').split(/^## /m)
  return sections.map((text) => ({
    name: text.split('\n', 1)[0] ?? '',
    pages: Array.from(text.matchAll(/^- \[(.+)\]\((.+)\): (.+)$/gm), (match) => {
      const [, title = '', source = '', description = ''] = match
      return { title, source, slug: toSlug(source), description: toSentence(description) }
    }),
  }))
}

/** The web address of the repository, from package.json. */
export function readRepository(): string {
  const { repository }: { repository: { url: string } } = JSON.parse(read('package.json'))
  return repository.url.replaceAll(/^git\+|\.git$/g, '')
}

/** The Markdown of a page for the site: what it links to is on the site, or else in the repository. */
export function toSiteMarkdown(page: SitePage, pages: readonly SitePage[], url: string): string {
  const text = moveLinks(read(page.source), page.source, pages, url)
  const { title, description } = page
  return `${toFrontMatter({ title, description, edit: toEdit(url, page.source) })}${text}`
}

/** The landing page: what the README says before it lists the documentation. */
export function toLandingMarkdown(pages: readonly SitePage[], url: string): string {
  const readme = read('README.md')
  const [, name = '', what = '', how = ''] =
    /^# (\w+)\n\n\w+ is (.+?): ([^]+?)\n\n/.exec(readme) ?? []
  const end = readme.indexOf('\n## Documentation')
  const start = readme.indexOf('```')
  if (what === '' || end === -1) {
    throw new Error(
      'README.md must begin with "# Name", "Name is ...: ...", and have "## Documentation".',
    )
  }
  const hero = {
    name,
    text: what.replace(/^a /, 'A '),
    tagline: toSentence(how.replaceAll('\n', ' ').replaceAll('`', '')),
    actions: [
      { theme: 'brand', text: 'Tutorial', link: '/tutorial' },
      { theme: 'alt', text: 'Tools', link: '/tools' },
      { theme: 'alt', text: 'Repository', link: url },
    ],
  }
  const description = `${name} is ${what}.`
  const edit = toEdit(url, 'README.md')
  const body = moveLinks(readme.slice(start, end), 'README.md', pages, url)
  return `${toFrontMatter({ layout: 'home', title: hero.text, description, hero, edit })}${body}`
}

/** The anchor of a heading, as GitHub makes it: a link works on the site and in the repository. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** llms.txt with links to the pages of the site, as Markdown. */
export function toSiteList(): string {
  return read('llms.txt').replaceAll(
    /\]\((\S+\.md)\)/g,
    (_, source: string) => `](/${toSlug(source)}.md)`,
  )
}

function moveLinks(text: string, source: string, pages: readonly SitePage[], url: string): string {
  // every second part is a code block
  const parts = text.split(/(^```[^]*?^```$)/m)
  const move = (part: string): string =>
    part.replaceAll(/\]\((?!https?:|#)([^)#\s]+)(#[^)\s]+)?\)/g, (_, path: string, anchor = '') => {
      const target = posix.join(posix.dirname(source), path)
      const page = pages.find((other) => other.source === target)
      return `](${page === undefined ? `${url}/blob/main/${target}` : `./${page.slug}.md`}${anchor})`
    })
  return parts.map((part, index) => (index % 2 === 0 ? move(part) : part)).join('')
}

function toEdit(url: string, source: string): string {
  return `${url}/edit/main/${source}`
}

function toFrontMatter(data: object): string {
  // JSON is YAML
  return `---\n${JSON.stringify(data, null, 2)}\n---\n\n`
}

function toSlug(source: string): string {
  return posix.basename(source, '.md').toLowerCase()
}

function toSentence(text: string): string {
  const ended = text.endsWith('.') ? text : `${text}.`
  return ended.charAt(0).toUpperCase() + ended.slice(1)
}
