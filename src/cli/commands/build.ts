import process from 'node:process'
import { build } from '../../build/build.ts'
import { createProject } from '../../build/project.ts'
import { type Command, defineCommand } from '../command.ts'
import { printReport } from '../print-report.ts'
import { projectOptions } from '../project-options.ts'

export const buildCommand: Command = defineCommand({
  usage: 'build',
  about:
    'Reads the tools and writes the registry that the Worker imports. It is the command of [build] in\n' +
    'wrangler.toml, so that `wrangler dev` and `wrangler deploy` run it. Under `wrangler dev` it also\n' +
    'succeeds if a tool has problems and the last good tools are still served.',
  options: projectOptions,
  run: async (values) => printReport(await build(createProject(process.cwd(), values))),
})
