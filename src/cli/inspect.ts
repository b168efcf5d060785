import { createHash, randomUUID } from 'node:crypto'
import type { OutputFile } from 'esbuild'
import { bundle } from './bundle.ts'
import { CliError } from './cli-error.ts'
import { findDuplicates } from './duplicates.ts'
import type { Entry, Evaluated } from './evaluation/evaluated.ts'
import { readEvaluatedLines } from './evaluated-lines.ts'
import { toThrownSentence, toUnfinishedSentence } from './loading-problems.ts'
import type { Refusal } from './refusal.ts'
import { runWorkerd, type Run } from './run-workerd.ts'
import { findSourcePosition } from './source-position.ts'
import type { Sources } from './sources.ts'

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
