import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Finds the links of a built site that lead nowhere: each as its page and its target. Links to other sites are not
 * followed.
 */
export function findDeadLinks(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const pages = files.filter((file) => file.endsWith('.html') && file !== '404.html')
  const texts = new Map(pages.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
  return pages.flatMap((page) =>
    findTargets(texts.get(page) ?? '')
      .filter((target) => !leadsSomewhere(target, page, folder, texts))
      .map((target) => `${page}: ${target}`),
  )
}

function findTargets(html: string): readonly string[] {
  const targets = Array.from(html.matchAll(/ (?:href|src)="([^"]*)"/g), ([, target = '']) =>
    target.replaceAll('&amp;', '&'),
  )
  return [...new Set(targets)].filter((target) => !/^[a-z]+:|^\/\//.test(target))
}

function leadsSomewhere(
  target: string,
  page: string,
  folder: string,
  texts: ReadonlyMap<string, string>,
): boolean {
  const [path = '', anchor = ''] = decodeURI(target).split('#')
  const file = path === '' ? page : toFile(path, page)
  const text = texts.get(file)
  if (text === undefined) return existsSync(join(folder, file)) && anchor === ''
  return anchor === '' || text.includes(` id="${anchor}"`)
}

function toFile(path: string, page: string): string {
  const full = path.startsWith('/') ? path.slice(1) : join(dirname(page), path)
  if (full === '' || full.endsWith('/')) return `${full}index.html`
  return /\.\w+$/.test(full) ? full : `${full}.html`
}
