import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { build } from '../../build/build.ts'
import { type Project, createProject } from '../../build/project.ts'
import type { Command } from '../command.ts'
import { updateEnvTypes } from '../env-types.ts'
import { printReport } from '../print-report.ts'
import { runWranglerDev, toPortArguments } from '../wrangler-dev.ts'

// not defineCommand: wrangler knows the options
export const devCommand: Command = {
  help: `Usage: helve dev [options of wrangler dev]

Builds, then runs \`wrangler dev\`, which gets all options. The variable PORT is the port where it
listens. Meanwhile \`wrangler types\` writes the types of \`env\`, now and after each change of the
configuration.

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
    const project = createProject(root, folders)
    const exitCode = printReport(await build(project))
    if (exitCode !== 0) return exitCode
    const stop = keepEnvTyped(project)
    return runWranglerDev(root, [...args, ...port]).finally(stop)
  },
}

/** Writes the types of `env` now and after each change of the configuration, beside `wrangler dev`. */
function keepEnvTyped(project: Project): () => void {
  let latest = Promise.resolve()
  const update = (): void => {
    latest = latest
      .then(() => updateEnvTypes(project))
      .then((done) => (done === null ? undefined : console.error(`helve: ${done}`)))
  }
  update()
  const watcher = watch(dirname(project.config), (_, name) => {
    if (name === basename(project.config) || name === '.dev.vars') update()
  })
  return () => watcher.close()
}

/** Those that the build needs too. */
const readOptions = {
  config: { type: 'string', short: 'c' },
  env: { type: 'string', short: 'e' },
} as const
