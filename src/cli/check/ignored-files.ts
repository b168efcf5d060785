import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toRelative } from '../../build/project.ts'
import { toLineEnd } from '../edit/toml-edit.ts'
import type { CheckContext } from './check-context.ts'

/** What git must not store: what commands write, and secrets. Each with a file that an entry must ignore. */
function toEntries({ project }: CheckContext): readonly (readonly [string, string])[] {
  const out = toRelative(project.root, project.out)
  return [
    [`${out}/`, `${out}/registry.ts`],
    ['.wrangler/', '.wrangler/state'],
    ['.dev.vars', '.dev.vars'],
  ]
}

/** The lines that .gitignore lacks; none in a project that git does not store. */
export async function findUnignored(context: CheckContext): Promise<readonly string[]> {
  const { root } = context.project
  const entries = toEntries(context)
  const ignored = await listIgnored(
    root,
    entries.map(([, file]) => file),
  )
  return ignored === null
    ? []
    : entries.filter(([, file]) => !ignored.includes(file)).map(([line]) => line)
}

/** Asks git, which knows the .gitignore of every folder above; `null` outside a repository. */
function listIgnored(root: string, files: readonly string[]): Promise<readonly string[] | null> {
  return new Promise((done) => {
    execFile('git', ['check-ignore', '--no-index', ...files], { cwd: root }, (error, stdout) => {
      // 1 means that it ignores none of them
      const isAnswer = error === null || error.code === 1
      done(isAnswer ? stdout.split('\n') : null)
    })
  })
}

/** The new text of .gitignore. */
export async function addIgnored(
  root: string,
  lines: readonly string[],
): Promise<{ before: string; after: string }> {
  const path = join(root, '.gitignore')
  const before = existsSync(path) ? await readFile(path, 'utf8') : ''
  const newline = toLineEnd(before)
  const start = before === '' || before.endsWith('\n') ? before : before + newline
  return { before, after: `${start}${lines.join(newline)}${newline}` }
}
