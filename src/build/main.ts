import { CliError, toErrorMessage } from './errors.ts'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runWranglerDev, toPortArguments } from './dev.ts'
import { inspect } from './inspect.ts'
import { bundleLastGood, keepLastGood, serveLastGood } from './last-good.ts'
import { findMainProblems } from './main-module.ts'
import { type Project, createProject, loadSources, toRelative } from './project.ts'
import { toRegistrySource, writeFileIfChanged } from './registry-source.ts'
import { type Result, toReport } from './report.ts'

// Runs in Node, as do all files directly in src/build; its folders run in workerd.

const usage = `helve: MCP servers on Cloudflare Workers

Commands:
  helve build   read the tools and write the registry that the Worker imports
  helve check   read the tools and report their problems, without writing anything
  helve dev     build, then run \`wrangler dev\`, which gets all other arguments;
                the variable PORT is the port where it listens

Options:
  --tools <folder>   the folder with the tools (default: tools)
  --out <folder>     the folder for the registry (default: .helve)
  --config <file>    the configuration of wrangler (default: wrangler.json, .jsonc or .toml)
  -e, --env <name>   the environment of wrangler (default: CLOUDFLARE_ENV, or the top level)
  --strict           with helve check: fail if there are warnings
  -h, --help         print this help

Exit codes:
  0   no problems, or only warnings; under wrangler dev also if the last good tools are served
  1   problems, or warnings with --strict, or a command or configuration that cannot be read
`

const commands = new Map([
  ['build', build],
  ['check', check],
])

/** Runs one command line and returns the exit code, which the usage describes. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const [first, ...rest] = args
    if (first === 'dev') return await dev(rest)
    const { values, positionals } = readArguments(args)
    const [name, ...extra] = positionals
    if (values.help || name === undefined) {
      console.log(usage)
      return values.help ? 0 : 1
    }
    const command = commands.get(name)
    if (command === undefined || extra.length > 0) {
      throw new CliError(`\`helve ${positionals.join(' ')}\` is not a command. ${seeHelp}`)
    }
    if (values.strict === true && command !== check) {
      throw new CliError(`\`--strict\` is an option of \`helve check\`. ${seeHelp}`)
    }
    return print(await command(createProject(process.cwd(), values)), values.strict)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    console.error(`helve: ${error.message}`)
    return 1
  }
}

async function dev(args: readonly string[]): Promise<number> {
  const root = process.cwd()
  const port = toPortArguments(args)
  const { values } = parseArgs({ args: [...args], options: devOptions, strict: false })
  const { config, env } = values
  // the build command of wrangler gets no arguments, but the variable
  if (typeof env === 'string') process.env['CLOUDFLARE_ENV'] = env
  const folders = typeof config === 'string' ? { config } : {}
  const exitCode = print(await build(createProject(root, folders)))
  return exitCode === 0 ? runWranglerDev(root, [...args, ...port]) : exitCode
}

// those of `wrangler dev` that the build needs too
const devOptions = {
  config: { type: 'string', short: 'c' },
  env: { type: 'string', short: 'e' },
} as const

function print(result: Result, isStrict = false): number {
  const { stderr, stdout, exitCode } = toReport(result, isStrict)
  if (stderr !== '') console.error(stderr)
  if (stdout !== '') console.log(stdout)
  return exitCode
}

const seeHelp = 'Run `helve --help` for the commands and options.'

const text = { type: 'string' } as const
const options = {
  tools: text,
  out: text,
  config: text,
  env: { type: 'string', short: 'e' },
  strict: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // Node's first sentence names the problem, and its second one misleads
    const [problem] = toErrorMessage(error).split('. ')
    throw new CliError(`${problem}. ${seeHelp}`)
  }
}

/**
 * Reads the tools and writes the registry. If a tool is refused, the registry stays as it was or,
 * under `wrangler dev`, serves the last good tools.
 */
export async function build(project: Project): Promise<Result> {
  const isDev = process.env['WRANGLER_COMMAND'] === 'dev'
  const sources = await loadSources(project)
  const [{ entries, code, refusals, warnings }, main, copies] = await Promise.all([
    inspect(sources),
    findMainProblems(sources),
    isDev ? bundleLastGood(sources) : null,
  ])
  // good tools would not help a Worker that cannot start, and whose start would end `wrangler dev`
  if (main.refusals.length > 0) {
    return { kind: 'refused', refusals: [...refusals, ...main.refusals], stillServing: false }
  }
  if (refusals.length > 0) {
    return { kind: 'refused', refusals, stillServing: isDev && (await serveLastGood(project)) }
  }
  const registry = join(project.out, 'registry.ts')
  const source = toRegistrySource({ entries, code }, sources.config.bindings, (file) => {
    const path = toRelative(dirname(registry), resolve(project.root, file))
    return path.startsWith('.') ? path : `./${path}`
  })
  await writeFileIfChanged(registry, source)
  if (copies !== null) await keepLastGood(sources, copies, { entries, code })
  const wrote = toRelative(project.root, registry)
  return { kind: 'good', project, entries, config: sources.config, main, warnings, wrote }
}

/** Reads the tools as a build does, and writes nothing. */
export async function check(project: Project): Promise<Result> {
  const sources = await loadSources(project)
  const [{ entries, refusals: refused, warnings }, main] = await Promise.all([
    inspect(sources),
    findMainProblems(sources),
  ])
  const refusals = [...refused, ...main.refusals]
  if (refusals.length > 0) return { kind: 'refused', refusals, stillServing: false }
  return { kind: 'good', project, entries, config: sources.config, main, warnings }
}
