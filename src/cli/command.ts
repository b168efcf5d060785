import { parseArgs } from 'node:util'
import { CliError, toErrorMessage } from '../build/errors.ts'

/** An option of a command, for Node's `parseArgs` and for the help. */
export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  /** Whether it may be given several times; its value is then a list. */
  readonly multiple?: boolean
  /** What stands for the value in the help, such as `<folder>`. */
  readonly value?: string
  readonly about: string
}

type CommandOptions = Readonly<Record<string, CommandOption>>

/** The values of the options of a command; `undefined` where one is not given. */
export type OptionValues<O extends CommandOptions> = ReturnType<
  typeof parseArgs<{ args: string[]; options: O; allowPositionals: true }>
>['values']

interface CommandDefinition<O extends CommandOptions> {
  /** How it is called, without `helve` and the options, such as `call <tool> [url]`. */
  readonly usage: string
  readonly about: string
  readonly options: O
  /** Command lines, without `helve`, each with what it does. */
  readonly examples?: Readonly<Record<string, string>>
  /** Returns the exit code. */
  readonly run: (values: OptionValues<O>, ...positionals: readonly string[]) => Promise<number>
}

export interface Command {
  readonly help: string
  /** Returns the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>
}

/** A command line that cannot be understood: the exit code is 2. */
export class UsageError extends CliError {
  override readonly name = 'UsageError'
}

export function defineCommand<const O extends CommandOptions>(
  definition: CommandDefinition<O>,
): Command {
  const { usage, options } = definition
  const [name = '', ...positionals] = usage.split(' ')
  const required = positionals.filter((each) => each.startsWith('<')).length
  const isOpen = usage.endsWith('...]') || usage.endsWith('...>')
  return {
    help: toHelp(definition),
    async run(args) {
      const { values, positionals: given } = readArguments(args, name, options)
      if (given.length < required || (given.length > positionals.length && !isOpen)) {
        const what = given.length < required ? 'needs more arguments' : 'has too many arguments'
        throw new UsageError(
          `\`helve ${[name, ...given].join(' ')}\` ${what}. Usage: helve ${usage}. ${seeHelpOf(name)}`,
        )
      }
      return definition.run(values, ...given)
    },
  }
}

export function seeHelpOf(name: string): string {
  return `Run \`helve ${name} --help\` for its arguments and options.`
}

function readArguments<O extends CommandOptions>(
  args: readonly string[],
  name: string,
  options: O,
): { readonly values: OptionValues<O>; readonly positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // Node's first sentence names the problem, and its second one misleads
    const [problem] = toErrorMessage(error).split('. ')
    throw new UsageError(`${problem}. ${seeHelpOf(name)}`)
  }
}

function toHelp<O extends CommandOptions>(definition: CommandDefinition<O>): string {
  const { usage, about, options, examples = {} } = definition
  const rows = Object.entries<CommandOption>({ ...options, help: helpOption }).map(
    ([name, option]) => [toOptionUsage(name, option), option.about] as const,
  )
  const shown = Object.entries(examples).map(([line, text]) => [`helve ${line}`, text] as const)
  return [
    `Usage: helve ${usage} [options]`,
    about,
    `Options:\n${toRows(rows)}`,
    ...(shown.length === 0 ? [] : [`Examples:\n${toRows(shown)}`]),
  ].join('\n\n')
}

const helpOption: CommandOption = { type: 'boolean', short: 'h', about: 'print this help' }

function toOptionUsage(name: string, { short, value }: CommandOption): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`
  return short === undefined ? `    ${long}` : `-${short}, ${long}`
}

/** Prints rows of two columns, the second of which may have several lines. */
export function toRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length))
  const indent = ' '.repeat(width + 4)
  return rows
    .map(([first, second]) => `  ${first.padEnd(width)}  ${second.replaceAll('\n', `\n${indent}`)}`)
    .join('\n')
}
