import {
  type Mismatch,
  type NoOptionFits,
  type Path,
  type Problem,
  type WrongSize,
  eitherPhrase,
  toPathText,
  typeOfPhrase,
  valueAt,
  valuePhrase,
} from './problem.ts'

const maxSentences = 20
const maxCounted = 1_000

/**
 * Converts the problems of a value to sentences that a model can act on: which field, what is wrong,
 * what is allowed. Returns at most 20 sentences, and the number of problems that are not listed.
 */
export function toSentences(problems: Iterable<Problem>, root: unknown): readonly string[] {
  const sentences = new Set<string>()
  let unlisted = 0
  for (const problem of problems) {
    if (sentences.size < maxSentences) {
      for (const clause of toClauses(problem, root)) sentences.add(toSentence(clause))
    } else if (++unlisted === maxCounted) {
      break
    }
  }
  const listed = [...sentences].slice(0, maxSentences)
  unlisted += sentences.size - listed.length
  if (unlisted === 0) return listed
  const count = unlisted < maxCounted ? `${unlisted}` : `At least ${maxCounted}`
  return [...listed, `${count} more problem${unlisted === 1 ? ' is' : 's are'} not listed.`]
}

function toSentence(clause: string): string {
  return /[.!?]$/.test(clause) ? clause : `${clause}.`
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
    case 'message':
      return [toMessageText(problem.path, problem.message)]
    case 'union':
      return toLikelyProblems(problem).flatMap((likely) =>
        likely.kind === 'union' ? [toOptionsText(likely, root)] : toClauses(likely, root),
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
  const isByType = by === 'type' && !(typeof value === 'number' && expected.includes('an integer'))
  return `${wanted}, but is ${isByType ? typeOfPhrase(value) : valuePhrase(value)}`
}

function toSizeText({ bound, limit, unit }: WrongSize, value: unknown): string {
  if (unit === null) return `must be ${bound} ${limit}, but is ${valuePhrase(value)}`
  const size = sizeOf(value)
  const wanted = `must have ${bound} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`
  return size === null ? wanted : `${wanted}, but has ${size}`
}

function sizeOf(value: unknown): number | null {
  if (Array.isArray(value)) return value.length
  if (typeof value === 'object' && value !== null) return Object.keys(value).length
  // validators count astral characters differently: such a text gets no number
  return typeof value === 'string' && !/[\ud800-\udfff]/.test(value) ? value.length : null
}

function toMessageText(path: Path, message: string): string {
  const text = message.trim().replace(/\s+/g, ' ')
  const isPredicate = /^(must|should|may|can|cannot|is|has|does|needs|takes|fits)\b/.test(text)
  if (isPredicate) return `${toSubject(path)} ${text}`
  return path.length === 0 ? text : `${toSubject(path)}: ${text}`
}

function toOptionsText(union: NoOptionFits, root: unknown): string {
  const firsts = union.options.flatMap(([first]) =>
    first ? toClauses(first, root).slice(0, 1) : [],
  )
  const shown = firsts.length > 4 ? [...firsts.slice(0, 4), `${firsts.length - 4} more`] : firsts
  const rest = shown.length === 0 ? '' : `: either ${shown.join(', or ')}`
  return `${toSubject(union.path)} fits none of the allowed forms${rest}`
}

/**
 * Reduces a union without a matching option to the problems of the option that the sender most likely
 * meant, or to one problem that lists all allowed types or values. Options that are equally likely
 * are returned as a smaller union.
 */
function toLikelyProblems(union: NoOptionFits): readonly Problem[] {
  const options = union.options.map((option) => option.flatMap(reduce))
  const outside = options.map((option) => mismatchAt(option, union.path))
  // every option expects another kind of value: list them all
  if (outside.every((mismatch) => mismatch !== null)) return [merge(outside, union.path)]
  const inside = options.filter((_, index) => outside[index] === null)
  // a literal that differs is the tag of another option
  const tagged = inside.filter((option) => literalIn(option) === null)
  const likely = tagged.length > 0 ? tagged : inside
  const [first] = likely
  if (first !== undefined && likely.length === 1) return first
  const tags = likely.map(literalIn).filter((literal) => literal !== null)
  const [tag] = tags
  if (tag !== undefined && tags.every(({ path }) => isSamePath(path, tag.path))) {
    return [merge(tags, tag.path)]
  }
  return [{ kind: 'union', path: union.path, options: likely }]
}

function reduce(problem: Problem): readonly Problem[] {
  return problem.kind === 'union' ? toLikelyProblems(problem) : [problem]
}

function mismatchAt(option: readonly Problem[], path: Path): Mismatch | null {
  for (const problem of option) {
    const isHere = problem.kind === 'mismatch' && problem.by !== 'format'
    if (isHere && isSamePath(problem.path, path)) return problem
  }
  return null
}

function literalIn(option: readonly Problem[]): Mismatch | null {
  for (const problem of option) {
    if (problem.kind === 'mismatch' && problem.by === 'literal') return problem
  }
  return null
}

function merge(mismatches: readonly Mismatch[], path: Path): Mismatch {
  const expected = [...new Set(mismatches.flatMap((mismatch) => mismatch.expected))]
  const by = mismatches.every((mismatch) => mismatch.by === 'type') ? 'type' : 'literal'
  return { kind: 'mismatch', path, expected, by }
}

function isSamePath(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index])
}
