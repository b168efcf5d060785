import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { findNameProblems } from '../../build/kinds/members.ts'
import { CliError } from '../../build/errors.ts'
import {
  type Project,
  createProject,
  findPathProblem,
  findToolFiles,
  isToolFile,
  toRelative,
  toToolName,
} from '../../build/project.ts'
import { loadWranglerConfig } from '../../build/wrangler-config.ts'
import { type Command, UsageError, defineCommand } from '../command.ts'
import { newSources, toTestSource, toTitle } from '../new-sources.ts'
import { projectOptions } from '../project-options.ts'

const kinds = ['tool', 'resource', 'prompt', 'handle', 'test'] as const

type NewKind = (typeof kinds)[number]

export const newCommand: Command = defineCommand({
  usage: 'new <kind> <name>',
  about:
    `Writes a file that passes the build, the type check and its tests as it is. The kind is ${kinds.join(', ')}.\n` +
    'The name is the path of the file in the folder of the tools, and of a test, that of its tool.\n' +
    'No file is overwritten.',
  options: { tools: projectOptions.tools },
  examples: {
    'new tool count_words': 'writes tools/count_words.ts',
    'new tool billing/refund': 'writes tools/billing/refund.ts, the tool billing_refund',
    'new test billing/refund': 'writes test/billing/refund.test.ts',
  },
  async run(values, kindText = '', nameText = '') {
    const kind = kinds.find((each) => each === kindText)
    if (kind === undefined) {
      throw new UsageError(`\`${kindText}\` is not a kind. The kinds are: ${kinds.join(', ')}.`)
    }
    const project = createProject(process.cwd(), values)
    const path = readPath(nameText, kind)
    const file =
      kind === 'test'
        ? join(project.root, 'test', `${path}.test.ts`)
        : join(project.tools, `${path}.ts`)
    await checkIsNew(project, kind, path, file)
    const source =
      kind === 'test'
        ? toTestSource(toToolName(`${path}.ts`), await findWorker(project, dirname(file)))
        : newSources[kind]({ name: toToolName(`${path}.ts`), title: toTitle(path) })
    await mkdir(dirname(file), { recursive: true })
    // fails if the file exists
    await writeFile(file, source, { flag: 'wx' })
    console.log(`helve: ${toRelative(project.root, file)}`)
    if (source.includes("from 'zod'") && !isInstalled(project.root, 'zod')) {
      console.log('helve: it imports zod, which is not installed. Run `npm install zod`.')
    }
    return 0
  },
})

/**
 * Reads the path of a file, without its extension, by the rules of the build.
 *
 * @throws {UsageError} if the build would not read the file, or would refuse its name.
 */
function readPath(text: string, kind: NewKind): string {
  const path = text
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '')
    .replace(/\.ts$/, '')
  const isInside = !path.split('/').some((part) => part === '' || part === '..' || part === '.')
  if (!isInside || !isToolFile(`${path}.ts`)) {
    throw new UsageError(
      `"${text}" cannot be a ${kind}: the build reads no file whose name or folder is empty, begins with "_" or ` +
        '".", or ends in ".d", ".test" or ".spec".',
    )
  }
  const [problem] = [
    findPathProblem(`${path}.ts`) ?? [],
    findNameProblems(toToolName(`${path}.ts`)),
  ].flat()
  if (problem !== undefined) {
    throw new UsageError(problem.replace(/ Rename (?:the file|it).*/, ' Choose another name.'))
  }
  return path
}

/** @throws {CliError} if there is such a file or name, or no tool for a test. */
async function checkIsNew(
  project: Project,
  kind: NewKind,
  path: string,
  file: string,
): Promise<void> {
  const { paths } = await findToolFiles(project.tools)
  const same = paths.find((other) => toToolName(other) === toToolName(`${path}.ts`))
  const shown = (other: string): string => toRelative(project.root, join(project.tools, other))
  if (kind === 'test' && same === undefined) {
    throw new CliError(
      `There is no ${shown(`${path}.ts`)} to test. Write it first: \`helve new tool ${path}\`.`,
    )
  }
  if (kind !== 'test' && same !== undefined) {
    throw new CliError(
      `${shown(same)} has the name ${toToolName(`${path}.ts`)} already. Nothing was written. Choose another name.`,
    )
  }
  if (existsSync(file)) {
    throw new CliError(`${toRelative(project.root, file)} exists. Nothing was written.`)
  }
}

/** Returns the specifier of the module whose default export is the Worker, from the folder of a test. */
async function findWorker(project: Project, folder: string): Promise<string> {
  const { root, config } = project
  const usual = join(root, 'src/worker.ts')
  const { main } = await loadWranglerConfig(config, project)
  const path = existsSync(usual) || main === null ? usual : resolve(dirname(config), main)
  return toRelative(folder, path)
}

function isInstalled(root: string, name: string): boolean {
  try {
    createRequire(join(root, 'package.json')).resolve(name)
    return true
  } catch {
    return false
  }
}
