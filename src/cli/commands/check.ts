import process from 'node:process'
import { check } from '../../build/build.ts'
import { createProject } from '../../build/project.ts'
import { type Command, defineCommand } from '../command.ts'
import { printReport } from '../print-report.ts'
import { projectOptions } from '../project-options.ts'

export const checkCommand: Command = defineCommand({
  usage: 'check',
  about: 'Reads the tools as a build does and reports their problems, without writing anything.',
  options: {
    ...projectOptions,
    strict: { type: 'boolean', about: 'fail if there are warnings' },
  },
  run: async ({ strict, ...values }) =>
    printReport(await check(createProject(process.cwd(), values)), strict),
})
