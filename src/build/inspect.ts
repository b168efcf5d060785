import type { OutputFile } from 'esbuild'
import { createHash, randomUUID } from 'node:crypto'
import { SourceMap } from 'node:module'
import { basename, resolve, sep } from 'node:path'
import { bundle } from './bundle.ts'
import type { Entry, Evaluated } from './kinds/evaluated.ts'
import { CliError } from './main.ts'
import { type Project, type Sources, toRelative } from './project.ts'
import type { Refusal } from './report.ts'
import { type Run, runWorkerd } from './workerd.ts'

/** What the tools are, and every reason why they may not be served. */
export interface Inspection {
  readonly entries: readonly Entry[]
  /** A digest of all that the tools are made of: it changes where only their code does, too. */
  readonly code: string
  readonly refusals: readonly Refusal[]
}

/** Bundles the tools, loads each once in workerd, and asks them what they are. */
export async function inspect(sources: Sources): Promise<Inspection> {
  if (sources.tools.length === 0) return { entries: [], code: '', refusals: [] }
  const marker = `helve ${randomUUID()} `
  const { modules, sourceMaps, refusals } = await bundle(sources, marker)
  if (modules.length === 0) return { entries: [], code: '', refusals }

  const run = await runWorkerd(modules, sources.config)
  const evaluated = readEvaluatedLines(run.stdout, marker)
  if (evaluated.length === 0) {
    throw new CliError(`workerd did not start, so the tools were not read. It says:\n${run.stderr}`)
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
  return { entries, code: toCode(modules, marker), refusals: all }
}

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

/** The module whose turn it was when workerd ended. */
function findUnfinished(evaluated: readonly Evaluated[], run: Run): readonly Refusal[] {
  const last = evaluated.at(-1)
  if (last?.kind !== 'begun') return []
  return [{ files: [last.file], why: toUnfinishedSentence(run) }]
}

/** Refuses entries of one section that claim the same, naming every file that does. */
export function findDuplicates(entries: readonly Entry[]): readonly Refusal[] {
  const claims = entries.flatMap(({ section, file, claims }) =>
    claims.map(({ key, why }) => ({ file, key: `${section} ${key}`, why })),
  )
  return [...Map.groupBy(claims, ({ key }) => key).values()].flatMap((rivals) => {
    const [first] = rivals
    if (first === undefined || rivals.length === 1) return []
    return [{ files: rivals.map(({ file }) => file), why: first.why }]
  })
}

/** Says why a module that threw while it was loaded cannot be served, and what to do. */
export function toThrownSentence(message: string, position?: string): string {
  const where = position === undefined ? '' : `${position}: `
  // workerd's words for any I/O outside a request
  if (message.includes('global scope')) {
    return (
      `${where}does I/O while the module is loaded, and Workers allow fetch, timers and random ` +
      'values only inside a call. Move it into `run`.'
    )
  }
  return `${where}loading the module throws: ${message}`
}

/** Says what became of a module that was still being loaded when workerd ended. */
export function toUnfinishedSentence({ end, stderr }: Run): string {
  return end === 'timed out'
    ? 'Loading the module does not end. Look for an endless loop or an `await` outside of `run`.'
    : `workerd ended while it loaded the module. It says: ${stderr.trim()}`
}

/** Picks the evaluation's own lines out of all that workerd printed. */
function readEvaluatedLines(stdout: string, marker: string): readonly Evaluated[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith(marker))
    .map((line): Evaluated => JSON.parse(line.slice(marker.length)))
}

const helve = resolve(import.meta.dirname, '..') + sep

/**
 * Finds the line of the author's that a stack in a bundle comes from, as `file:line:column`;
 * `undefined` where every frame is a library's or Helve's own.
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
