import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname, '../../..')
const bin = join(root, 'src/cli/helve.ts')
// the folder has a name that git and the linter leave alone; in the repository, where `helve` resolves
const folder = join(import.meta.dirname, '../.helve')

/**
 * Writes a project with these tools, has the command line build it as every project is built, and
 * returns the path of its registry.
 */
export function buildProject(name: string, tools: Readonly<Record<string, string>>): string {
  const project = join(folder, name)
  rmSync(project, { recursive: true, force: true })
  mkdirSync(join(project, 'tools'), { recursive: true })
  for (const [tool, text] of Object.entries(tools)) {
    writeFileSync(join(project, 'tools', `${tool}.ts`), text)
  }
  return buildRegistry(join(project, 'tools'), join(project, 'registry'))
}

const wranglerToml = `name = "bench"
compatibility_date = "2026-11-02"

[[ratelimits]]
name = "LIMIT"
namespace_id = "1"
simple = { limit = 100, period = 60 }
`

/** Has the command line build the tools of a folder, and returns the path of their registry. */
export function buildRegistry(tools: string, out: string): string {
  mkdirSync(out, { recursive: true })
  const config = join(out, 'wrangler.toml')
  writeFileSync(config, wranglerToml)
  const args = ['build', '--tools', tools, '--out', out, '--config', config]
  execFileSync(process.execPath, [bin, ...args], { cwd: root, stdio: 'pipe' })
  return join(out, 'registry.ts')
}

/** The modules of tools that do what those of {@link createTools} do for the peers. */
export function toToolModules(count: number, withOutput: boolean): Record<string, string> {
  const members = withOutput
    ? 'output, run: ({ input }) => run(input)'
    : 'run: ({ input }) => run(input).text'
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `tool_${index}`,
      `import { defineTool } from 'helve'
import { createTool } from '../../../tools.ts'

const { name, description, input, output, run } = createTool(${index})

export default defineTool({ title: name, description, input, ${members} })
`,
    ]),
  )
}
