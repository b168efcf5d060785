import { CliError } from './errors.ts'
import type { OutputFile } from 'esbuild'
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { basename, resolve, sep } from 'node:path'
import { bundle, nodeAdvice } from './bundle.ts'
import type { Entry, EnvReads, Evaluated, Refusal } from './evaluated.ts'
import { type Project, type Sources, toRelative } from './project.ts'
import { type WorkerEnv, toPlaceholder } from './worker-env.ts'
import { type WorkerModule, type WorkerdRun, runWorkerd, timeoutSeconds } from './workerd.ts'

/** The entries of the tools, and every reason why they cannot be served. */
export interface Inspection {
  readonly entries: readonly Entry[]
  /** A digest of the tools' code, so that a change of code alone is noticed too. */
  readonly code: string
  readonly refusals: readonly Refusal[]
  /** What is probably a mistake, in sentences. */
  readonly warnings: readonly string[]
}

/** Bundles the tools and evaluates each once in workerd. */
export async function inspect(sources: Sources): Promise<Inspection> {
  const { project, config, tools, refusals: unreadable, warnings } = sources
  const nothing = { entries: [], code: '', refusals: unreadable, warnings }
  if (tools.length === 0) return nothing
  const marker = `helve ${randomUUID()} `
  const { modules, sourceMaps, refusals, files } = await bundle(sources, marker)
  if (modules.length === 0) return { ...nothing, refusals: [...unreadable, ...refusals] }

  const run = await runWorkerd(sources.project.root, modules, config, marker)
  const evaluated = run.lines.map((line): Evaluated => JSON.parse(line))
  if (evaluated.length === 0) {
    throw new CliError(
      `workerd did not start, so no tool was evaluated. Its output:\n${run.stderr}`,
    )
  }
  const entries = evaluated.flatMap((one) => (one.kind === 'entry' ? [one.entry] : []))
  const refused = evaluated.flatMap((one) =>
    toRefusals(one, config.env, (stack) => findSourcePosition(stack, sourceMaps, project)),
  )
  const all = [
    ...unreadable,
    ...refusals,
    ...refused,
    ...findUnfinished(evaluated, files, run),
    ...findDuplicates(entries),
    ...findPlaceholders(entries, config.env),
  ]
  const hasResources = entries.some(({ section }) => section === 'resources')
  const changes = evaluated.filter((one) => one.kind === 'changed')
  return {
    entries,
    code: toCode(modules),
    // a change may be why another module fails
    refusals: all.length === 0 ? [] : [...changes.map(toChangeRefusal), ...all],
    warnings: [
      ...warnings,
      ...changes.map((change) => `${change.file}: ${toChangeText(change)}`),
      ...(hasResources ? [] : await findEmbedding(sources)),
    ],
  }
}

/**
 * Warns of modules that embed resources in what they return, in a server without resources. Only the text of a module shows this before
 * it runs: a call of `embed`, or a block that is written by hand.
 */
async function findEmbedding({ project, tools }: Sources): Promise<readonly string[]> {
  const found = await Promise.all(
    tools.map(async ({ file }) => {
      const text = await readFile(resolve(project.root, file), 'utf8')
      return isEmbedding(text) ? [file] : []
    }),
  )
  const files = found.flat()
  if (files.length === 0) return []
  return [
    `${files.join(', ')}: a resource is embedded, but this server has no resources, so clients cannot read ` +
      'it again (server/tools, "Embedded Resources"). Add a module with defineResource({ ... }) for its ' +
      'URI, or return text.',
  ]
}

const embeds =
  /import\s*\{[^}]*\bembed\b[^}]*\}\s*from\s*['"]helve['"]|(["']?)\btype\1\s*:\s*['"]resource['"]/

function isEmbedding(text: string): boolean {
  const code = text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
  const [, all] = /import\s*\*\s*as\s+(\w+)\s+from\s*['"]helve['"]/.exec(code) ?? []
  return embeds.test(code) || (all !== undefined && code.includes(`${all}.embed(`))
}

function toCode(modules: readonly WorkerModule[]): string {
  const hash = createHash('sha256')
  for (const { contents, type } of modules) {
    if (type !== 'Json') hash.update(`${contents.length} `).update(contents)
  }
  return hash.digest('base64url')
}

type Change = Extract<Evaluated, { readonly kind: 'changed' }>

function toChangeRefusal(change: Change): Refusal {
  return { files: [change.file], why: toChangeText(change) }
}

function toChangeText({ names }: Change): string {
  return (
    `The module changes ${names.join(', ')} while it is loaded, for every other module and for Helve. ` +
    'Use a function of your own instead.'
  )
}

function toRefusals(
  evaluated: Evaluated,
  known: WorkerEnv,
  locate: (stack: string) => string | undefined,
): readonly Refusal[] {
  if (evaluated.kind === 'refused') {
    return evaluated.problems.map((why) => ({ files: [evaluated.file], why }))
  }
  if (evaluated.kind !== 'threw') return []
  const { file, message, stack, env } = evaluated
  return [{ files: [file], why: toThrownSentence(message, locate(stack), env, known) }]
}

/** Refuses the module that ended the evaluation, and every module that has no result. */
function findUnfinished(
  evaluated: readonly Evaluated[],
  files: readonly string[],
  run: WorkerdRun,
): readonly Refusal[] {
  const last = evaluated.at(-1)
  if (last?.kind === 'begun') return [{ files: [last.file], why: toUnfinishedSentence(run) }]
  if (last?.kind === 'stuck') {
    const changing = evaluated.flatMap((one) => (one.kind === 'changed' ? [one.file] : []))
    const why = `The build cannot undo the change of ${last.names.join(', ')}, so it cannot read the modules.`
    return [{ files: changing, why }]
  }
  const described = new Set(evaluated.map(toDescribedFile))
  const missing = files.filter((file) => !described.has(file))
  if (last?.kind === 'done' && missing.length === 0) return []
  const why =
    'The evaluation ended without a result for this module. Look for code that changes built-in ' +
    `objects while a module is loaded. The output of workerd: ${toErrorLines(run.stderr)}`
  return [{ files: missing.length === 0 ? files : missing, why }]
}

function toDescribedFile(evaluated: Evaluated): string | null {
  if (evaluated.kind === 'entry') return evaluated.entry.file
  return evaluated.kind === 'helper' || evaluated.kind === 'refused' || evaluated.kind === 'threw'
    ? evaluated.file
    : null
}

/** Refuses entries that contain what the build has in place of a secret. */
function findPlaceholders(entries: readonly Entry[], { secrets }: WorkerEnv): readonly Refusal[] {
  return entries.flatMap(({ file, members }) => {
    const text = JSON.stringify(members).toLowerCase()
    const names = Object.keys(secrets).filter((name) => {
      const [, ...after] = text.split(toPlaceholder(name))
      return after.some((rest) => !/^[\w-]/.test(rest))
    })
    return names.map((name) => ({
      files: [file],
      why:
        `The definition contains the value of the secret \`env.${name}\`, for which the build has ` +
        'only a placeholder. Remove it: every client can read a definition.',
    }))
  })
}

/** Refuses entries of one section that share a unique key, and names all their files. */
export function findDuplicates(entries: readonly Entry[]): readonly Refusal[] {
  const keys = entries.flatMap(({ section, file, uniqueKeys }) =>
    uniqueKeys.map(({ key, why }) => ({ file, key: `${section} ${key}`, why })),
  )
  return [...Map.groupBy(keys, ({ key }) => key).values()].flatMap((rivals) => {
    const [first] = rivals
    if (first === undefined || rivals.length === 1) return []
    return [{ files: rivals.map(({ file }) => file), why: first.why }]
  })
}

const noReads: EnvReads = { placeholders: [], missing: [] }

const noEnv: WorkerEnv = { vars: {}, secrets: {}, bindings: {}, others: [] }

function isKnown(name: string, { vars, secrets, bindings, others }: WorkerEnv): boolean {
  return [vars, secrets, bindings].some((all) => Object.hasOwn(all, name)) || others.includes(name)
}

/** Converts an error that a module threw while it was loaded to a sentence for its author. */
export function toThrownSentence(
  message: string,
  position?: string,
  env: EnvReads = noReads,
  known: WorkerEnv = noEnv,
): string {
  const where = position === undefined ? '' : `${position}: `
  // workerd says this of any I/O outside a request
  if (message.includes('global scope')) {
    return (
      `${where}The module does I/O while it is loaded, but Workers allow fetch, timers and random ` +
      'values only during a request. Move it into `run`.'
    )
  }
  // what workerd says of an await that nothing can end
  if (message.includes('Top-level await in module is unsettled')) {
    return `${where}An \`await\` outside \`run\` never ends. Move it into \`run\`.`
  }
  // workerd adds the name of a file of the bundle
  const cause = message.replace(/\s+imported from "[^"]*"/, '')
  const why = `${where}Loading the module failed: ${cause}`
  // nothing observes `process.env`, so the message must say what was read
  const named = findEnvironmentVariables(message)
  const missing =
    env.missing.length > 0 ? env.missing : named.filter((name) => !isKnown(name, known))
  if (missing.length > 0) return `${endSentence(why)} ${toMissingText(missing)}`
  const placeholders =
    env.placeholders.length > 0
      ? env.placeholders
      : named.filter((name) => Object.hasOwn(known.secrets, name))
  if (placeholders.length > 0) return `${endSentence(why)} ${toPlaceholderText(placeholders)}`
  return /No such module "?node:/.test(message) ? `${endSentence(why)} ${nodeAdvice}` : why
}

/** Finds the names in messages such as "The OPENAI_API_KEY environment variable is missing". */
function findEnvironmentVariables(message: string): readonly string[] {
  const names = message.match(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g) ?? []
  return /\benv/i.test(message) ? names : names.filter((name) => credentialPattern.test(name))
}

const credentialPattern = /_(?:DSN|ENDPOINT|HOST|ID|KEY|PASSWORD|SECRET|TOKEN|UR[IL])$/

function toMissingText(names: readonly string[]): string {
  const [first = ''] = names
  const what = names.map((name) => `\`${name}\``).join(', ')
  return (
    `While the build reads a module, \`env\` has no real values: it has those of [vars] in wrangler.toml, ` +
    'and placeholders for the secrets that .dev.vars, .env or `required` in [secrets] name. None of ' +
    `these has ${what}. Add a line such as ${first}="..." to .dev.vars, or use \`env\` in \`run\`.`
  )
}

function toPlaceholderText(names: readonly string[]): string {
  const what = names.map((name) => `\`${name}\``).join(', ')
  return (
    `While the build reads a module, \`env\` has no real values: ${what} ` +
    `${names.length === 1 ? 'is a placeholder' : 'are placeholders'}. Use \`env\` in \`run\` instead.`
  )
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Drops the stacks and the progress of workerd, which mean nothing to an author. */
function toErrorLines(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => !/^stack: |: debug: \[/.test(line))
  return lines.join('\n').trim()
}

export function toUnfinishedSentence({ end, stderr }: WorkerdRun): string {
  if (end === 'timed out') {
    return (
      `Loading the module did not end within ${timeoutSeconds} seconds. Look for an endless loop, or ` +
      'for an `await` outside `run`.'
    )
  }
  if (stderr.includes('had hung')) {
    return 'Loading the module never ends. Look for an `await` outside `run`, or for an export `then`.'
  }
  if (stderr.includes('heap out of memory')) {
    return 'Loading the module needs more memory than workerd has. Look for an endless loop.'
  }
  return `workerd exited while it loaded the module. Its output: ${toErrorLines(stderr)}`
}

const helve = resolve(import.meta.dirname, '..') + sep

/**
 * Finds the author's line that a stack in a bundle comes from, as `file:line:column`; `undefined` if
 * every frame belongs to a library or to Helve.
 */
function findSourcePosition(
  stack: string,
  sourceMaps: readonly OutputFile[],
  { root, out }: Project,
): string | undefined {
  for (const [, file = '', line, column] of stack.matchAll(/([\w.-]+\.js):(\d+):(\d+)/g)) {
    const map = sourceMaps.find(({ path }) => basename(path) === `${file}.map`)
    if (map === undefined) continue
    const origin = new SourceMap(JSON.parse(map.text)).findOrigin(Number(line), Number(column))
    if (!('fileName' in origin)) continue
    const source = resolve(out, decodeURIComponent(origin.fileName))
    if (source.startsWith(helve) || source.includes('node_modules')) continue
    return `${toRelative(root, source)}:${origin.lineNumber}:${origin.columnNumber}`
  }
  return undefined
}
