import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type Project, toRelative } from '../build/project.ts'
import { requireOfWrangler } from '../build/wrangler-packages.ts'
import { isJsonObject } from '../protocol/json.ts'
import { runWrangler, toWranglerError } from './run-wrangler.ts'

/*
 * `wrangler types` writes the types of `env`, and `wrangler types --check` finds out whether they are those of
 * the configuration. Either takes seconds, since it also builds. So what the types were made from is noted
 * beside the registry, as a digest, and wrangler is only asked after a change.
 */

export interface EnvTypes {
  /** The path of the declarations, from the project's root. */
  readonly file: string
  /** The arguments of `wrangler types` in this project. */
  readonly args: readonly string[]
  /**
   * `none` if the project has no TypeScript or declares `env` itself, `unknown` if the types exist and it was not noted what they were
   * made from.
   */
  readonly state: 'none' | 'missing' | 'stale' | 'fresh' | 'unknown'
}

/** Finds out without wrangler whether the types of `env` are those of the configuration. */
export async function readEnvTypes(project: Project): Promise<EnvTypes> {
  const { root } = project
  const args = await readTypesArguments(root)
  const file = args.find((arg) => arg.endsWith('.d.ts')) ?? 'worker-configuration.d.ts'
  if (!existsSync(join(root, 'tsconfig.json'))) return { file, args, state: 'none' }
  const header = await readHeader(join(root, file))
  if (header === null) return { file, args, state: (await declaresEnv(root)) ? 'none' : 'missing' }
  const noted = await readNote(project)
  // somebody else may have run wrangler since
  if (noted?.header !== header) return { file, args, state: 'unknown' }
  return { file, args, state: noted.inputs === (await toInputs(project)) ? 'fresh' : 'stale' }
}

/** Returns a sentence about types that were made from another configuration, or `null`. */
export async function findStaleTypes(project: Project): Promise<string | null> {
  const types = await readEnvTypes(project)
  return types.state === 'stale' ? toStaleText(project, types) : null
}

export function toStaleText({ root, config }: Project, { file }: EnvTypes): string {
  return (
    `${file} was written before ${toRelative(root, config)}, the secrets or wrangler changed, so the types of \`env\` may be ` +
    'wrong. `helve dev` and `helve check --fix` write it again with `wrangler types`.'
  )
}

/**
 * Writes the types if they are not those of the configuration.
 *
 * @returns what was done or went wrong, as a sentence; `null` if there was nothing to do.
 */
export async function updateEnvTypes(project: Project): Promise<string | null> {
  const types = await readEnvTypes(project)
  if (types.state === 'none' || types.state === 'fresh') return null
  if (types.state === 'unknown' && (await areTypesFresh(project, types))) return null
  const problem = await writeEnvTypes(project, types)
  return problem === null
    ? `${types.file} was written by \`wrangler types\`.`
    : `${types.file} could not be written, so the types of \`env\` may be wrong: ${problem}`
}

/**
 * Runs `wrangler types`, as the project does.
 *
 * @returns what went wrong, or `null`.
 */
async function writeEnvTypes(project: Project, { args, file }: EnvTypes): Promise<string | null> {
  // before wrangler reads them: they may change while it runs
  const inputs = await toInputs(project)
  const { exitCode, output } = await runWrangler(project.root, [
    'types',
    ...args,
    ...toConfig(project),
  ])
  if (exitCode !== 0) return toWranglerError(output)
  await noteFresh(project, file, inputs)
  return null
}

/** Asks wrangler whether the types are those of the configuration. */
export async function areTypesFresh(project: Project, { args, file }: EnvTypes): Promise<boolean> {
  const all = ['types', ...args, '--check', ...toConfig(project)]
  const inputs = await toInputs(project)
  const { exitCode } = await runWrangler(project.root, all)
  if (exitCode === 0) await noteFresh(project, file, inputs)
  return exitCode === 0
}

function toConfig({ root, config }: Project): readonly string[] {
  return [`--config=${toRelative(root, config)}`]
}

/** Whether a declaration is written by hand, which a generated one might contradict. */
async function declaresEnv(root: string): Promise<boolean> {
  const folders = await Promise.all(
    [root, join(root, 'src')].map(async (folder) => {
      const names = await readdir(folder).catch(() => [])
      return names.filter((name) => name.endsWith('.d.ts')).map((name) => join(folder, name))
    }),
  )
  const texts = await Promise.all(folders.flat().map((file) => readFile(file, 'utf8')))
  return texts.some((text) => /\bnamespace Cloudflare\b/.test(text))
}

/** A script of package.json may say where the types are, and how the interface is called. */
async function readTypesArguments(root: string): Promise<readonly string[]> {
  const [text, tsconfig] = await Promise.all(
    ['package.json', 'tsconfig.json'].map((file) =>
      readFile(join(root, file), 'utf8').catch(() => '{}'),
    ),
  )
  const { scripts } = Object(parseJson(text ?? ''))
  const commands = isJsonObject(scripts) ? Object.values(scripts) : []
  for (const command of commands) {
    const [, args] = /\bwrangler types\b([^&|;<>"'$]*)$/.exec(String(command)) ?? []
    if (args !== undefined)
      return args.split(/\s+/).filter((arg) => arg !== '' && arg !== '--check')
  }
  // a package with the types of the runtime, which must not be declared twice
  const hasRuntimeTypes = `${text}${tsconfig}`.includes('"@cloudflare/workers-types')
  return hasRuntimeTypes ? ['--include-runtime=false'] : []
}

/** The lines in which wrangler says what the types were made from. */
async function readHeader(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  return text
    .split('\n', 10)
    .filter((line) => /^\/\/ (?:Generated by|Runtime types)/.test(line))
    .join('\n')
}

interface Note {
  readonly header: string
  readonly inputs: string
}

async function readNote(project: Project): Promise<Note | null> {
  const text = await readFile(toNotePath(project), 'utf8').catch(() => '')
  const { header, inputs } = Object(parseJson(text))
  return typeof header === 'string' && typeof inputs === 'string' ? { header, inputs } : null
}

async function noteFresh(project: Project, file: string, inputs: string): Promise<void> {
  const header = await readHeader(join(project.root, file))
  if (header === null) return
  const note: Note = { header, inputs }
  // a folder that cannot be written only costs time
  await mkdir(project.out, { recursive: true })
    .then(() => writeFile(toNotePath(project), JSON.stringify(note)))
    .catch(() => {})
}

function toNotePath({ out }: Project): string {
  return join(out, 'env-types.json')
}

/** A digest of everything that the types depend on: of secrets only the names. */
async function toInputs({ root, config }: Project): Promise<string> {
  const folder = dirname(config)
  const files = ['.dev.vars', '.env', '.env.local'].map((file) => resolve(folder, file))
  const [text, ...secrets] = await Promise.all(
    [config, ...files].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const { version } = Object(requireOfWrangler(root)('wrangler/package.json'))
  const names = secrets.map((one) => Object.keys(parseEnv(one)))
  return createHash('sha256')
    .update(JSON.stringify([text, names, version]))
    .digest('base64url')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
