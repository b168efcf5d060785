import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { build } from '../../build/build.ts'
import { type Project, createProject } from '../../build/project.ts'
import { toDiff } from '../add/diff.ts'
import { planMainModule } from '../add/module-changes.ts'
import { type Plan, joinPlans, nothing } from '../add/plan.ts'
import { planFiles } from '../add/project-changes.ts'
import { planWrangler, readConfig } from '../add/wrangler-changes.ts'
import { type Command, defineCommand } from '../command.ts'
import { printReport } from '../print-report.ts'
import { projectOptions } from '../project-options.ts'

export const addCommand: Command = defineCommand({
  usage: 'add',
  about:
    'Adds an MCP server to a Worker that exists: a first tool, the exports and the routes in the main module,\n' +
    'and what the configuration of wrangler, tsconfig.json and .gitignore lack. It shows what would change, and\n' +
    'asks before it writes. What it does not understand it leaves alone, and prints the lines to add.',
  options: {
    tools: projectOptions.tools,
    out: projectOptions.out,
    config: projectOptions.config,
    yes: { type: 'boolean', short: 'y', about: 'write without asking' },
  },
  examples: { add: 'shows what would change, and asks', 'add --yes': 'writes it, in a script' },
  async run({ yes, ...folders }) {
    const project = createProject(process.cwd(), folders)
    const { changes, advice } = await plan(project)
    if (changes.length > 0) console.log(`${changes.map(toDiff).join('\n\n')}\n`)
    if (advice.length > 0) {
      console.log(`To do by hand:\n\n${advice.map((each) => `- ${each}`).join('\n\n')}\n`)
    }
    if (changes.length === 0) {
      if (advice.length === 0) console.log('helve: there is nothing to do.')
      return advice.length === 0 ? 0 : 1
    }
    if (yes !== true && !(await confirm())) return 1
    await Promise.all(
      changes.map(async ({ file, after }) => {
        const path = join(project.root, file)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, after)
      }),
    )
    const exitCode = printReport(await build(createProject(process.cwd(), folders)))
    console.log(nextSteps)
    return advice.length > 0 ? 1 : exitCode
  },
})

const nextSteps = `
Next:

  npx wrangler types   # generates the types of the rate limit; use the script of this project if it has one
  npx wrangler dev     # serves http://127.0.0.1:8787/mcp`

async function plan(project: Project): Promise<Plan> {
  const read = await readConfig(project)
  const { main } = read.config
  const { name: given } = read.raw
  const name = typeof given === 'string' ? given : basename(project.root)
  return joinPlans([
    await planFiles(project),
    main === null ? noMain : await planMainModule(project, { main, name }),
    await planWrangler(project, read),
  ])
}

const noMain: Plan = {
  ...nothing,
  advice: [
    'The configuration of wrangler has no `main`, so there is no module that could serve requests. Add `main` with ' +
      'the path of a module, and run `helve add` again.',
  ],
}

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    console.error(
      'helve: nothing was written, because there is no terminal to ask. Run `helve add --yes`.',
    )
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const closed = new AbortController()
  terminal.once('close', () => closed.abort())
  const answer = await terminal
    .question('Write these changes? (y/N) ', { signal: closed.signal })
    // Ctrl+C and Ctrl+D close the terminal
    .catch(() => 'no')
  terminal.close()
  if (/^y/i.test(answer.trim())) return true
  console.error('helve: nothing was written.')
  return false
}
