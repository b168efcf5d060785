import { parseArgs } from 'node:util'

export const templates = ['blank', 'shop'] as const
export const authKinds = ['none', 'jwt', 'api-keys', 'oauth-provider'] as const
export const clientNames = ['claude-code', 'vscode', 'cursor', 'gemini'] as const
export const configFormats = ['toml', 'jsonc'] as const

export type Template = (typeof templates)[number]
export type AuthKind = (typeof authKinds)[number]
export type ClientName = (typeof clientNames)[number]
export type ConfigFormat = (typeof configFormats)[number]

/** What is created. */
export interface Choices {
  readonly template: Template
  readonly auth: AuthKind
  readonly clients: readonly ClientName[]
  readonly config: ConfigFormat
  readonly git: boolean
  readonly install: boolean
}

/** What the command line says; `undefined` where it does not. */
export type Given = { readonly [Key in keyof Choices]: Choices[Key] | undefined }

/** What is taken without an answer. Installing and git are for a person, who is asked. */
export const defaults: Choices = {
  template: 'blank',
  auth: 'none',
  clients: [],
  config: 'toml',
  git: false,
  install: false,
}

/** A command line that cannot be understood, or a folder that cannot be used. */
export class CreateError extends Error {
  override readonly name = 'CreateError'
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2) {
    super(message)
    this.exitCode = exitCode
  }
}

export interface CommandLine {
  readonly folder: string | undefined
  readonly given: Given
  /** Whether the defaults are taken without a question. */
  readonly yes: boolean
  readonly asksFor: 'help' | 'version' | null
}

/**
 * Reads the command line.
 *
 * @throws {CreateError} if it cannot be understood.
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args)
  if (positionals.length > 1) {
    throw new CreateError(`There is one folder to create, not ${positionals.length}. ${seeHelp}`, 2)
  }
  return {
    folder: positionals[0],
    yes: values.yes === true,
    asksFor: values.help === true ? 'help' : values.version === true ? 'version' : null,
    given: {
      template: readOne('template', values.template, templates),
      auth: readOne('auth', values.auth, authKinds),
      config: readOne('config', values.config, configFormats),
      clients: readClients(values.clients),
      git: values.git,
      install: values.install,
    },
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      allowNegative: true,
      options: {
        template: { type: 'string' },
        auth: { type: 'string' },
        clients: { type: 'string' },
        config: { type: 'string' },
        git: { type: 'boolean' },
        install: { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    })
  } catch (error) {
    // Node's first sentence names the problem, and its second one misleads
    const [problem] = (error instanceof Error ? error.message : String(error)).split('. ')
    throw new CreateError(`${problem}. ${seeHelp}`, 2)
  }
}

const seeHelp = 'Run `npm create helve -- --help` for the options.'

function readOne<const Value extends string>(
  name: string,
  value: string | undefined,
  known: readonly Value[],
): Value | undefined {
  if (value === undefined) return undefined
  const found = known.find((each) => each === value)
  if (found !== undefined) return found
  throw new CreateError(`--${name} is "${value}". It must be one of: ${known.join(', ')}.`, 2)
}

/** Reads a list with commas; an empty one means none. */
export function readClients(text: string | undefined): readonly ClientName[] | undefined {
  if (text === undefined) return undefined
  const names = text.split(',').map((name) => name.trim())
  return names
    .filter((name) => name !== '')
    .flatMap((name) => readOne('clients', name, clientNames) ?? [])
}

export const help = `Usage: npm create helve [folder] -- [options]

Creates a project with an MCP server for Cloudflare Workers. In a terminal it asks what is not in the
command line, and elsewhere it takes the defaults.

Options:
      --template <name>  ${templates.join(' or ')}: one tool, or a small shop with a basket (default: blank)
      --auth <kind>      ${authKinds.join(', ')} (default: none)
      --clients <names>  files that connect clients, with commas: ${clientNames.join(', ')}
      --config <format>  ${configFormats.join(' or ')}: the configuration of wrangler (default: toml)
      --[no-]install     install the packages (default: no, or the answer)
      --[no-]git         create a git repository (default: no, or the answer)
  -y, --yes              ask nothing
  -h, --help             print this help
  -v, --version          print the version

Examples:
  npm create helve my-server
  npm create helve my-server -- --template shop --auth jwt --clients claude-code,cursor`
