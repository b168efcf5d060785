import { closest } from 'fastest-levenshtein'
import { CliError } from '../build/errors.ts'
import { type Command, UsageError, toRows } from './command.ts'
import { readVersion } from './version.ts'

interface CommandEntry {
  readonly summary: string
  /** Commands are loaded one at a time: a build is run after each change of a tool. */
  readonly load: () => Promise<Command>
}

const commands: ReadonlyMap<string, CommandEntry> = new Map([
  [
    'build',
    {
      summary: 'read the tools and write the registry that the Worker imports',
      load: async () => (await import('./commands/build.ts')).buildCommand,
    },
  ],
  [
    'check',
    {
      summary: 'check everything that a deploy needs, and mend what can be mended',
      load: async () => (await import('./commands/check.ts')).checkCommand,
    },
  ],
  [
    'add',
    {
      summary: 'add an MCP server to a Worker that exists',
      load: async () => (await import('./commands/add.ts')).addCommand,
    },
  ],
  [
    'new',
    {
      summary: 'write a tool, a resource, a prompt, a handle or a test that already passes',
      load: async () => (await import('./commands/new.ts')).newCommand,
    },
  ],
  [
    'dev',
    {
      summary: 'build, then run `wrangler dev`',
      load: async () => (await import('./commands/dev.ts')).devCommand,
    },
  ],
  [
    'list',
    {
      summary: 'show the tools, resources and prompts of a server',
      load: async () => (await import('./commands/list.ts')).listCommand,
    },
  ],
  [
    'call',
    {
      summary: 'call a tool of a server, and answer what it asks',
      load: async () => (await import('./commands/call.ts')).callCommand,
    },
  ],
  [
    'connect',
    {
      summary: 'print the lines that connect clients to the server',
      load: async () => (await import('./commands/connect.ts')).connectCommand,
    },
  ],
  [
    'token',
    {
      summary: 'print an access token for the Worker that `helve dev` serves',
      load: async () => (await import('./commands/token.ts')).tokenCommand,
    },
  ],
])

/**
 * Runs one command line and returns the exit code: 0 if it did what it says, 1 if there are problems, 2 if
 * the command line cannot be understood.
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return await run(args)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    console.error(`helve: ${error.message}`)
    return error instanceof UsageError ? 2 : 1
  }
}

async function run(args: readonly string[]): Promise<number> {
  const [first = '', ...rest] = args
  if (first === '-v' || first === '--version') {
    console.log(await readVersion())
    return 0
  }
  const asksForHelp = first === 'help' || first === '-h' || first === '--help'
  const [name = ''] = asksForHelp ? rest : [first]
  if (name === '') {
    console.log(help)
    return asksForHelp ? 0 : 2
  }
  const command = await findCommand(name).load()
  // after `--` everything is an argument
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  if (asksForHelp || options.includes('-h') || options.includes('--help')) {
    console.log(command.help)
    return 0
  }
  return command.run(rest)
}

function findCommand(name: string): CommandEntry {
  const found = commands.get(name)
  if (found !== undefined) return found
  const near = closest(name, [...commands.keys()])
  throw new UsageError(
    `\`helve ${name}\` is not a command. The closest one is \`helve ${near}\`. Run \`helve --help\` for all.`,
  )
}

const help = `helve: MCP servers on Cloudflare Workers

Usage: helve <command> [options]

Commands:
${toRows([...commands].map(([name, { summary }]) => [name, summary]))}

\`helve <command> --help\` prints the arguments and options of a command.

Options:
  -h, --help     print this help
  -v, --version  print the version of Helve

Exit codes:
  0  the command did what it says
  1  there are problems, which it printed
  2  the command line cannot be understood`
