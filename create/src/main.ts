import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import {
  type Choices,
  CreateError,
  type Given,
  defaults,
  help,
  readCommandLine,
} from './choices.ts'
import { createFiles } from './files.ts'
import { type PackageManager, findPackageManager } from './package-manager.ts'
import { askForChoices, askForFolder, isInteractive } from './questions.ts'

/** Runs one command line and returns the exit code: 0 if the project was created, 1 if not, 2 if it is not understood. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return await run(args)
  } catch (error) {
    if (!(error instanceof CreateError)) throw error
    console.error(`create-helve: ${error.message}`)
    return error.exitCode
  }
}

async function run(args: readonly string[]): Promise<number> {
  const { folder: givenFolder, given, yes, asksFor } = readCommandLine(args)
  if (asksFor !== null) {
    console.log(asksFor === 'help' ? help : await readVersion())
    return 0
  }
  const asks = isInteractive() && !yes
  const folder = givenFolder ?? (asks ? await askForFolder('my-server') : 'my-server')
  const root = resolve(folder)
  const name = toName(basename(root))
  await checkFolder(root, folder)
  const choices = asks ? await askForChoices(given) : withDefaults(given)
  const manager = findPackageManager()
  const files = await createFiles({ ...choices, name, manager })
  await writeFiles(root, files)
  console.log(`\nCreated ${name} in ${relative(process.cwd(), root) || '.'}: ${files.size} files.`)
  const isInstalled = choices.install && (await install(root, manager))
  if (choices.git) await createRepository(root)
  console.log(toNextSteps(root, manager, choices.install && isInstalled, choices))
  return choices.install && !isInstalled ? 1 : 0
}

function withDefaults(given: Given): Choices {
  return {
    template: given.template ?? defaults.template,
    auth: given.auth ?? defaults.auth,
    clients: given.clients ?? defaults.clients,
    config: given.config ?? defaults.config,
    git: given.git ?? defaults.git,
    install: given.install ?? defaults.install,
  }
}

/**
 * Converts the name of a folder to one that npm and Cloudflare accept.
 *
 * @throws {CreateError} if nothing of it is left.
 */
function toName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    // the first label of the URL of a Worker
    .slice(0, 54)
    .replaceAll(/^-+|-+$/g, '')
  if (name !== '') return name
  throw new CreateError(
    `"${folder}" has no letter or digit that the name of a Worker may have. Choose another folder.`,
    2,
  )
}

/** @throws {CreateError} if something could be overwritten. */
async function checkFolder(root: string, folder: string): Promise<void> {
  if (!existsSync(root)) return
  const names = await readdir(root).catch(() => null)
  if (names === null) throw new CreateError(`${folder} is a file. Choose another name.`, 1)
  // a repository that was just created or cloned
  const first = names.find((name) => name !== '.git')
  if (first === undefined) return
  throw new CreateError(
    `${folder} is not empty: it has ${first}. Nothing was written. Choose another folder; in a Worker that ` +
      'exists, run `npm install helve zod && npx helve add`.',
    1,
  )
}

async function writeFiles(root: string, files: ReadonlyMap<string, string>): Promise<void> {
  await Promise.all(
    [...files].map(async ([path, text]) => {
      const target = join(root, path)
      await mkdir(dirname(target), { recursive: true })
      // fails if the file exists
      await writeFile(target, text, { flag: 'wx' })
    }),
  )
}

async function install(root: string, { name }: PackageManager): Promise<boolean> {
  // npm is a script with another name on Windows
  const child = spawn(name, ['install'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  const [code] = await Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => [1])
  if (code === 0) return true
  console.error(`create-helve: \`${name} install\` failed. The files are there: run it again.`)
  return false
}

async function createRepository(root: string): Promise<void> {
  if (existsSync(join(root, '.git'))) return
  await promisify(execFile)('git', ['init', '--quiet'], { cwd: root }).catch(() => {
    console.error('create-helve: there is no git repository, because `git init` failed.')
  })
}

function toNextSteps(
  root: string,
  manager: PackageManager,
  isInstalled: boolean,
  { auth }: Choices,
): string {
  const folder = relative(process.cwd(), root)
  const steps = [
    ...(folder === '' ? [] : [`cd ${folder.includes(' ') ? `"${folder}"` : folder}`]),
    ...(isInstalled ? [] : [`${manager.name} install`]),
    manager.run('dev'),
  ]
  const notes: Partial<Record<Choices['auth'], string>> = {
    jwt: 'Set ISSUER in the configuration of wrangler to your authorization server.',
    'api-keys': 'Your key for this machine is in .dev.vars.',
    'oauth-provider':
      'src/sign-in-pages.ts believes any name: sign users in there before you deploy.',
  }
  const note = notes[auth] === undefined ? '' : `\n\n${notes[auth]}`
  return `\nNext:\n\n${steps.map((step) => `  ${step}`).join('\n')}${note}`
}

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(
    await readFile(join(import.meta.dirname, '../package.json'), 'utf8'),
  )
  return String(version)
}
