import process from 'node:process'
import { build } from '../../build/build.ts'
import { createProject } from '../../build/project.ts'
import { type Command, defineCommand } from '../command.ts'
import { findStaleTypes } from '../env-types.ts'
import { printReport } from '../print-report.ts'
import { projectOptions } from '../project-options.ts'

export const buildCommand: Command = defineCommand({
  usage: 'build',
  about:
    'Reads the tools and writes the registry that the Worker imports. It is the command of [build] in\n' +
    'wrangler.toml, so that `wrangler dev` and `wrangler deploy` run it. Under `wrangler dev` it also\n' +
    'succeeds if a tool has problems and the last good tools are still served.',
  options: projectOptions,
  async run(values) {
    const project = createProject(process.cwd(), values)
    const exitCode = printReport(await build(project))
    const stale = isQuiet() ? null : await findStaleTypes(project)
    if (stale !== null) console.error(`Warning: ${stale}\n`)
    return exitCode
  },
})

/** `helve dev` writes the types, and `wrangler types` is about to. */
function isQuiet(): boolean {
  return ['dev', 'types'].includes(process.env['WRANGLER_COMMAND'] ?? '')
}
