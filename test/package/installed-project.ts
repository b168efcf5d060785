import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inject, onTestFinished } from 'vitest'
import { quiet } from '../support/wrangler-dev.ts'

const root = join(import.meta.dirname, '../..')

/** A user's project, with the packed Helve in its node_modules. */
export interface InstalledProject {
  readonly folder: string
  /** Runs a command of node_modules/.bin, and returns its output. */
  readonly run: (command: string, ...args: readonly string[]) => Promise<string>
  /** Runs a script of package.json, and returns its output. */
  readonly runScript: (name: string) => Promise<string>
  readonly runNode: (...args: readonly string[]) => Promise<string>
}

/** Creates a project outside the repository, in which Helve and `dependencies` are installed. */
export async function createInstalledProject(
  files: Readonly<Record<string, string>>,
  dependencies: readonly string[] = ['wrangler', 'zod', 'typescript'],
): Promise<InstalledProject> {
  const folder = await createProjectFolder()
  const all = { 'package.json': '{ "private": true, "type": "module" }', ...files }
  await Promise.all(
    Object.entries(all).map(async ([file, text]) => {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), text)
    }),
  )
  return installHelve(folder, dependencies)
}

/** Creates an empty folder outside the repository, which is removed after the test. */
export async function createProjectFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'helve-project-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Installs the packed Helve in a project. Only what its package.json and `dependencies` name can be
 * imported there: these packages are links to the ones of this repository, so that no test needs a
 * registry.
 */
export async function installHelve(
  folder: string,
  dependencies: readonly string[],
): Promise<InstalledProject> {
  const modules = join(folder, 'node_modules')
  await cp(inject('unpacked'), join(modules, 'helve'), { recursive: true })
  const manifest = JSON.parse(await readFile(join(modules, 'helve/package.json'), 'utf8'))
  await mkdir(join(modules, '.bin'))
  await Promise.all(
    Array.from(new Set([...Object.keys(manifest.dependencies), ...dependencies]), async (name) => {
      await link(join(root, 'node_modules', name), join(modules, name))
      await linkCommands(modules, name)
    }),
  )
  await linkCommands(modules, 'helve')
  const path = [join(modules, '.bin'), dirname(process.execPath), process.env['PATH']]
  const env = { ...process.env, ...quiet, PATH: path.join(delimiter) }
  const runFile = async (file: string, args: readonly string[]): Promise<string> => {
    const ended = promisify(execFile)(file, args, { cwd: folder, env })
    const { stdout, stderr } = await ended.catch((error: unknown) => {
      throw new Error(`${basename(file)} ${args.join(' ')} failed: ${toOutput(error)}`, {
        cause: error,
      })
    })
    return stdout + stderr
  }
  return {
    folder,
    run: (command, ...args) => runFile(join(modules, '.bin', command), args),
    runNode: (...args) => runFile(process.execPath, args),
    runScript: (name) => runFile('npm', ['run', '-s', name]),
  }
}

function toOutput(error: unknown): string {
  const { stdout, stderr } = Object(error)
  return `${stdout}${stderr}`
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await symlink(target, path)
}

/** Puts the commands of a package into node_modules/.bin, as npm does. */
async function linkCommands(modules: string, name: string): Promise<void> {
  const { bin = {} } = JSON.parse(await readFile(join(modules, name, 'package.json'), 'utf8'))
  const commands = typeof bin === 'string' ? { [name]: bin } : bin
  await Promise.all(
    Object.entries<string>(commands).map(async ([command, file]) => {
      const target = join(modules, name, file)
      await link(target, join(modules, '.bin', command))
      if (name === 'helve') await chmod(target, 0o755)
    }),
  )
}
