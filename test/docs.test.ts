import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { findTypeErrors, readModules, type Page } from './support/doc-modules.ts'

const root = join(import.meta.dirname, '..')
const paths = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
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

/** The anchors that GitHub gives the headings of a page. */
function findAnchors(path: string): readonly string[] {
  const text = pages.find((page) => page.path === path)?.text ?? ''
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
