import { CliError, toErrorMessage } from './errors.ts'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
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

Options:
  --tools <folder>   the folder with the tools (default: tools)
  --out <folder>     the folder for the registry (default: .helve)
  --config <file>    the configuration of wrangler (default: wrangler.toml)
  -h, --help         print this help
`

const commands = new Map([
  ['build', build],
  ['check', check],
])

/** Runs one command line and returns the exit code: 0, or 1 if something was refused. */
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
      throw new CliError(`\`helve ${positionals.join(' ')}\` is not a command. ${seeHelp}`)
    }
    const report = toReport(await command(createProject(process.cwd(), values)))
    if (report.stderr !== '') console.error(report.stderr)
    if (report.stdout !== '') console.log(report.stdout)
    return report.exitCode
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    console.error(`helve: ${error.message}`)
    return 1
  }
}

const seeHelp = 'Run `helve --help` for the commands and options.'

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
  const [{ entries, code, refusals, embedding }, main, copies] = await Promise.all([
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
  return { kind: 'good', project, entries, config: sources.config, main, embedding, wrote }
}

/** Reads the tools as a build does, and writes nothing. */
export async function check(project: Project): Promise<Result> {
  const sources = await loadSources(project)
  const [{ entries, refusals: refused, embedding }, main] = await Promise.all([
    inspect(sources),
    findMainProblems(sources),
  ])
  const refusals = [...refused, ...main.refusals]
  if (refusals.length > 0) return { kind: 'refused', refusals, stillServing: false }
  return { kind: 'good', project, entries, config: sources.config, main, embedding }
}
