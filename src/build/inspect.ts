import { CliError } from './errors.ts'
import type { OutputFile } from 'esbuild'
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { basename, resolve, sep } from 'node:path'
import { bundle } from './bundle.ts'
import type { Entry, Evaluated, Refusal } from './evaluated.ts'
import { type Project, type Sources, toRelative } from './project.ts'
import { type WorkerdRun, runWorkerd, timeoutSeconds } from './workerd.ts'

/** The entries of the tools, and every reason why they cannot be served. */
export interface Inspection {
  readonly entries: readonly Entry[]
  /** A digest of the tools' code, so that a change of code alone is noticed too. */
  readonly code: string
  readonly refusals: readonly Refusal[]
  /** Files that embed resources although no module is one. */
  readonly embedding: readonly string[]
}

/** Bundles the tools and evaluates each once in workerd. */
export async function inspect(sources: Sources): Promise<Inspection> {
  if (sources.tools.length === 0) return { ...nothing, refusals: [] }
  const marker = `helve ${randomUUID()} `
  const { modules, sourceMaps, refusals } = await bundle(sources, marker)
  if (modules.length === 0) return { ...nothing, refusals }

  const run = await runWorkerd(modules, sources.config)
  const evaluated = readEvaluatedLines(run.stdout, marker)
  if (evaluated.length === 0) {
    throw new CliError(
      `workerd did not start, so no tool was evaluated. Its output:\n${run.stderr}`,
    )
  }
  const entries = evaluated.flatMap((one) => (one.kind === 'entry' ? [one.entry] : []))
  const refused = evaluated.flatMap((one) =>
    toRefusals(one, (stack) => findSourcePosition(stack, sourceMaps, sources.project)),
  )
  const all = [
    ...refusals,
    ...refused,
    ...findUnfinished(evaluated, run),
    ...findDuplicates(entries),
  ]
  const hasResources = entries.some(({ section }) => section === 'resources')
  const embedding = hasResources ? [] : await findEmbedding(sources)
  return { entries, code: toCode(modules, marker), refusals: all, embedding }
}

const nothing = { entries: [], code: '', embedding: [] }

/**
 * Finds modules that embed resources in what they return. Only the text of a module shows this before
 * it runs: a call of `embed`, or a block that is written by hand.
 */
async function findEmbedding({ project, tools }: Sources): Promise<readonly string[]> {
  const found = await Promise.all(
    tools.map(async ({ file }) => {
      const text = await readFile(resolve(project.root, file), 'utf8')
      return embeds.test(text) ? [file] : []
    }),
  )
  return found.flat()
}

const embeds =
  /import\s*\{[^}]*\bembed\b[^}]*\}\s*from\s*['"]helve['"]|\bhelve\.embed\(|\btype:\s*['"]resource['"]/

function toCode(modules: readonly OutputFile[], marker: string): string {
  const texts = modules.map(({ text }) => text.replaceAll(marker, ''))
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url')
}

function toRefusals(
  evaluated: Evaluated,
  locate: (stack: string) => string | undefined,
): readonly Refusal[] {
  if (evaluated.kind === 'refused') {
    return evaluated.problems.map((why) => ({ files: [evaluated.file], why }))
  }
  if (evaluated.kind !== 'threw') return []
  const { file, message, stack } = evaluated
  return [{ files: [file], why: toThrownSentence(message, locate(stack)) }]
}

function findUnfinished(evaluated: readonly Evaluated[], run: WorkerdRun): readonly Refusal[] {
  const last = evaluated.at(-1)
  if (last?.kind !== 'begun') return []
  return [{ files: [last.file], why: toUnfinishedSentence(run) }]
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

/** Converts an error that a module threw while it was loaded to a sentence for its author. */
export function toThrownSentence(message: string, position?: string): string {
  const where = position === undefined ? '' : `${position}: `
  // workerd says this of any I/O outside a request
  if (message.includes('global scope')) {
    return (
      `${where}The module does I/O while it is loaded, but Workers allow fetch, timers and random ` +
      'values only during a request. Move it into `run`.'
    )
  }
  return `${where}Loading the module failed: ${message}`
}

export function toUnfinishedSentence({ end, stderr }: WorkerdRun): string {
  return end === 'timed out'
    ? `Loading the module did not end within ${timeoutSeconds} seconds. Look for an endless loop, or ` +
        'for an `await` outside `run`.'
    : `workerd exited while it loaded the module. Its output: ${stderr.trim()}`
}

function readEvaluatedLines(stdout: string, marker: string): readonly Evaluated[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith(marker))
    .map((line): Evaluated => JSON.parse(line.slice(marker.length)))
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
    const source = resolve(out, origin.fileName)
    if (source.startsWith(helve) || source.includes('node_modules')) continue
    return `${toRelative(root, source)}:${origin.lineNumber}:${origin.columnNumber}`
  }
  return undefined
}
