import process from 'node:process'
import { parseArgs } from 'node:util'
import { build } from '../../build/build.ts'
import { createProject } from '../../build/project.ts'
import type { Command } from '../command.ts'
import { printReport } from '../print-report.ts'
import { runWranglerDev, toPortArguments } from '../wrangler-dev.ts'

// not defineCommand: wrangler knows the options
export const devCommand: Command = {
  help: `Usage: helve dev [options of wrangler dev]

Builds, then runs \`wrangler dev\`, which gets all options. The variable PORT is the port where it
listens.

Options:
  -c, --config <file>  the configuration of wrangler (default: wrangler.json, .jsonc or .toml)
  -e, --env <name>     the environment of wrangler (default: CLOUDFLARE_ENV, or the top level)
  -h, --help           print this help; \`wrangler dev --help\` prints all others`,
  async run(args) {
    const root = process.cwd()
    const port = toPortArguments(args)
    const { values } = parseArgs({ args: [...args], options: readOptions, strict: false })
    const { config, env } = values
    // the build command of wrangler gets no arguments, but the variable
    if (typeof env === 'string') process.env['CLOUDFLARE_ENV'] = env
    const folders = typeof config === 'string' ? { config } : {}
    const exitCode = printReport(await build(createProject(root, folders)))
    return exitCode === 0 ? runWranglerDev(root, [...args, ...port]) : exitCode
  },
}

/** Those that the build needs too. */
const readOptions = {
  config: { type: 'string', short: 'c' },
  env: { type: 'string', short: 'e' },
} as const
