import { toPathText, valueAt, type Path } from './path.ts'
import { eitherPhrase, typeOfPhrase, valuePhrase } from './phrases.ts'
import type { Mismatch, Problem, WrongSize } from './problem.ts'
import { toLikelyProblems } from './union.ts'

const mostSentences = 20
const mostCounted = 1_000

/**
 * Says each problem of a value in one sentence that a model can act on: which field, what is wrong,
 * what would do. At most 20 sentences, with a note of how many problems are left unsaid.
 */
export function toSentences(problems: Iterable<Problem>, root: unknown): readonly string[] {
  const sentences = new Set<string>()
  let unsaid = 0
  for (const problem of problems) {
    if (sentences.size < mostSentences) {
      for (const clause of toClauses(problem, root)) sentences.add(toSentence(clause))
    } else if (++unsaid === mostCounted) {
      break
    }
  }
  const listed = [...sentences].slice(0, mostSentences)
  unsaid += sentences.size - listed.length
  if (unsaid === 0) return listed
  const count = unsaid < mostCounted ? `${unsaid}` : `At least ${mostCounted}`
  return [...listed, `${count} more problem${unsaid === 1 ? ' is' : 's are'} not listed.`]
}

function toClauses(problem: Problem, root: unknown): readonly string[] {
  const subject = toSubject(problem.path)
  switch (problem.kind) {
    case 'mismatch':
      return [`${subject} ${toMismatchText(problem, valueAt(root, problem.path))}`]
    case 'size':
      return [`${subject} ${toSizeText(problem, valueAt(root, problem.path))}`]
    case 'unexpected':
      return [`${subject} is not allowed here`]
    case 'said':
      return [toSaidText(problem.path, problem.message)]
    case 'union':
      return toLikelyProblems(problem).flatMap((likely) =>
        likely.kind === 'union' ? toFormsText(likely, root) : toClauses(likely, root),
      )
  }
}

function toSubject(path: Path): string {
  return path.length === 0 ? 'The value' : `"${toPathText(path)}"`
}

function toMismatchText({ expected, by }: Mismatch, value: unknown): string {
  const wanted = expected.length === 0 ? '' : `must be ${eitherPhrase(expected)}`
  if (value === undefined) return wanted === '' ? 'is missing' : `is missing and ${wanted}`
  // "must be an integer, but is a number" would explain nothing
  const byType = by === 'type' && !(typeof value === 'number' && expected.includes('an integer'))
  return `${wanted}, but is ${byType ? typeOfPhrase(value) : valuePhrase(value)}`
}

function toSizeText({ bound, limit, unit }: WrongSize, value: unknown): string {
  if (unit === null) return `must be ${bound} ${limit}, but is ${valuePhrase(value)}`
  const has = sizeOf(value)
  const wanted = `must have ${bound} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`
  return has === null ? wanted : `${wanted}, but has ${has}`
}

function sizeOf(value: unknown): number | null {
  if (Array.isArray(value)) return value.length
  if (typeof value === 'object' && value !== null) return Object.keys(value).length
  // validators disagree on how to count astral characters: say a number only where they cannot
  return typeof value === 'string' && !/[\ud800-\udfff]/.test(value) ? value.length : null
}

function toSaidText(path: Path, message: string): string {
  const text = message.trim().replace(/\s+/g, ' ')
  const isPredicate = /^(must|should|may|can|cannot|is|has|does|needs|takes|fits)\b/.test(text)
  if (isPredicate) return `${toSubject(path)} ${text}`
  return path.length === 0 ? text : `${toSubject(path)}: ${text}`
}

function toFormsText(union: Extract<Problem, { kind: 'union' }>, root: unknown): readonly string[] {
  const forms = union.options.flatMap(([first]) =>
    first ? toClauses(first, root).slice(0, 1) : [],
  )
  const shown = forms.length > 4 ? [...forms.slice(0, 4), `${forms.length - 4} more`] : forms
  const rest = shown.length === 0 ? '' : `: either ${shown.join(', or ')}`
  return [`${toSubject(union.path)} fits none of the allowed forms${rest}`]
}

function toSentence(clause: string): string {
  return /[.!?]$/.test(clause) ? clause : `${clause}.`
}
