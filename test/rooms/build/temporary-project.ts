import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Project, createProject } from '../../../src/build/project.ts'

const home = join(import.meta.dirname, '../../../.helve/.tests')

export const wranglerToml = `compatibility_date = "2026-11-02"
[[migrations]]
new_sqlite_classes = ["Handles", "Hub", "Bridge"]
`

/** A project in a folder of its own. It lies in the repository, so that `helve` and zod resolve. */
export interface TemporaryProject extends Project {
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>
}

/**
 * Makes a project of these files; wrangler.toml is there unless it is among them. The project goes
 * when the test is finished, or when `whenFinished` says so.
 */
export async function createTemporaryProject(
  files: Readonly<Record<string, string>>,
  whenFinished: (remove: () => Promise<void>) => void = onTestFinished,
): Promise<TemporaryProject> {
  await mkdir(home, { recursive: true })
  const root = await mkdtemp(join(home, 'project-'))
  whenFinished(() => rm(root, { recursive: true, force: true }))
  const write: TemporaryProject['write'] = async (files) => {
    const written = Object.entries(files).map(async ([file, text]) => {
      await mkdir(dirname(join(root, file)), { recursive: true })
      await writeFile(join(root, file), text)
    })
    await Promise.all(written)
  }
  await write({ 'wrangler.toml': wranglerToml, ...files })
  return { ...createProject(root), write }
}

/** The source of a tool; `members` are added to its definition or stand in for what is there. */
export function toolSource(members = '', before = ''): string {
  return `import { defineTool } from 'helve'
import * as z from 'zod'
${before}
export default defineTool({
  description: 'Says something.',
  run: () => 'something',
  ${members}
})
`
}

/** The source of a module of any kind. */
export function moduleSource(maker: string, members: string): string {
  return `import { ${maker} } from 'helve'
import * as z from 'zod'
import * as mini from 'zod/mini'
export default ${maker}({ ${members} })
`
}

/** The source of a handle, called `basket` unless the members say otherwise. */
export function handleSource(members = ''): string {
  const common = "name: 'basket', prefix: 'bsk', idle: '1h', state: z.object({}), start: () => ({})"
  return moduleSource('defineHandle', `${common}, verbs: {}, ${members}`)
}
