import { parseArgs } from 'node:util'
import { build, check } from './commands.ts'
import { toErrorMessage } from './kinds/evaluated.ts'
import { createProject } from './project.ts'
import { toReport } from './report.ts'

const usage = `helve, MCP servers at the edge

  helve build    read every tool and write the registry that the Worker imports
  helve check    read every tool and say what is wrong with it; write nothing

  --tools <folder>   where the tools are        tools
  --out <folder>     where the registry goes    .helve
  --config <file>    wrangler's configuration   wrangler.toml
  --help             this page
`

const commands = new Map([
  ['build', build],
  ['check', check],
])

/** Runs one command line and returns the exit code: 0, or 1 where something was refused. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = readArguments(args)
    const [name, ...extra] = positionals
    if (values.help || name === undefined) {
      console.log(usage)
      return values.help ? 0 : 1
    }
    const command = commands.get(name)
    if (command === undefined || extra.length > 0) {
      throw new CliError(`\`helve ${positionals.join(' ')}\` is no command. Try \`helve --help\`.`)
    }
    const report = toReport(await command(createProject(process.cwd(), values)))
    if (report.errors !== '') console.error(report.errors)
    if (report.news !== '') console.log(report.news)
    return report.exitCode
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    console.error(`helve: ${error.message}`)
    return 1
  }
}

const text = { type: 'string' } as const
const options = {
  tools: text,
  out: text,
  config: text,
  help: { type: 'boolean', short: 'h' },
} as const

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // Node's first sentence says what is wrong, and its second one misleads
    const [what] = toErrorMessage(error).split('. ')
    throw new CliError(`${what}. Try \`helve --help\`.`)
  }
}

/** Something that the person at the terminal can put right: shown as one sentence, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
