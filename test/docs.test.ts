import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readSections, toAnchor } from '../site/pages.ts'
import { findTypeErrors, readModules, type Page } from './support/doc-modules.ts'

const root = join(import.meta.dirname, '..')
const paths = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'llms.txt',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
]
const pages: readonly Page[] = paths.map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}))

const broken: Page = {
  path: 'docs/broken.md',
  text: `# A page

\`\`\`ts
run: () => 'a part, which nobody can compile'
\`\`\`

\`\`\`ts
// tools/greet.ts
import { defineTool } from 'helve'

export default defineTool({ description: 'Greets.', run: () => 1 })
\`\`\`

\`\`\`ts
import greet from './tools/greet.ts'
import { createWorker } from 'helve'

console.log(greet.kind, createWorker.nothing)
\`\`\`
`,
}

test('the modules in the documentation compile', async () => {
  const modules = pages.flatMap(readModules)
  expect(modules.length).toBeGreaterThan(15)
  expect(await findTypeErrors(modules)).toEqual([])
})

test('a module that does not compile is reported with its page and its line', async () => {
  expect(await findTypeErrors(readModules(broken))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^docs\/broken\.md\(11,\d+\): error TS/),
      expect.stringMatching(/^docs\/broken\.md\(18,\d+\): error TS/),
    ]),
  )
})

test('a code block is a module if it begins with an import or with the name of its file', () => {
  expect(readModules(broken).map(({ file }) => file)).toEqual(['tools/greet.ts', 'line-15.ts'])
})

test('the links in the documentation lead to existing files', () => {
  const links = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => ({
      path,
      target,
    })),
  )
  expect(links.length).toBeGreaterThan(20)
  const lost = links.filter(({ path, target }) => !existsSync(join(root, dirname(path), target)))
  expect(lost).toEqual([])
})

test('the anchors in the documentation are headings of their page', () => {
  const anchors = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].map(
      ([, file = '', anchor = '']) => ({
        path,
        target: file === '' ? path : join(dirname(path), file),
        anchor,
      }),
    ),
  )
  expect(anchors.length).toBeGreaterThan(20)
  const lost = anchors.filter(({ target, anchor }) => !findAnchors(target).includes(anchor))
  expect(lost).toEqual([])
})

test('llms.txt lists every page once, by its title and with a line about it', () => {
  const listed = readSections().flatMap((section) => section.pages)
  expect(listed.map(({ source }) => source).toSorted()).toEqual(
    [
      ...paths.filter((path) => path.startsWith('docs/')),
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
    ].toSorted(),
  )
  for (const { source, title, description } of listed) {
    expect(textOf(source).split('\n', 1)).toEqual([`# ${title}`])
    expect(description).toMatch(/^.{20,}\.$/)
  }
})

test('llms.txt says of Helve what the README says', () => {
  const [, first = ''] = /^(Helve is [^]+?)\n\n/m.exec(textOf('README.md')) ?? []
  expect(textOf('llms.txt')).toContain(`> ${first.replaceAll('\n', ' ')}\n`)
})

test('the README is a page: what is longer has a page of its own', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(125)
})

function textOf(path: string): string {
  return pages.find((page) => page.path === path)?.text ?? ''
}

/** The anchors that GitHub gives the headings of a page. */
function findAnchors(path: string): readonly string[] {
  return Array.from(textOf(path).matchAll(/^#+ (.+)$/gm), ([, heading = '']) => toAnchor(heading))
}
