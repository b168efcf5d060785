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
import { excerpt, maxRepeated } from '../util/excerpt.ts'

const maxSentences = 20
const maxCharacters = 4_000
const maxDescribed = 100
const maxCounted = 1_000

/**
 * Converts the problems of a value to sentences that a model can act on: which field, what is wrong,
 * what is allowed. Returns at most 20 sentences of together 4,000 characters, and the number of
 * problems that are not listed. Time, memory and length are bounded for every schema and value.
 */
export function toSentences(problems: Iterable<Problem>, root: unknown): readonly string[] {
  const reader = new ProblemReader()
  const sentences = new Set<string>()
  let characters = 0
  let described = 0
  let unlisted = 0
  for (const problem of problems) {
    // equal sentences are one, so their number alone does not bound the work
    if (sentences.size >= maxSentences || described++ >= maxDescribed) {
      if (++unlisted === maxCounted) break
      continue
    }
    for (const clause of toClauses(reader.read(problem), root)) {
      const sentence = toSentence(clause)
      const isNew = !sentences.has(sentence)
      const isListed =
        sentences.size < maxSentences && characters + sentence.length <= maxCharacters
      if (isNew && isListed) {
        sentences.add(sentence)
        characters += sentence.length
      } else if (isNew) {
        unlisted++
      }
    }
  }
  if (unlisted === 0) return [...sentences]
  const count = unlisted < maxCounted ? `${unlisted}` : `At least ${maxCounted}`
  return [...sentences, `${count} more problem${unlisted === 1 ? ' is' : 's are'} not listed.`]
}

/** A union as far as it was read; without options if it was not. */
interface ReadUnion {
  readonly kind: 'union'
  readonly path: Path
  readonly options: readonly (readonly ReadProblem[])[]
}

type ReadProblem = Exclude<Problem, NoOptionFits> | ReadUnion

const maxRead = 2_000
const maxReadEach = 200
const maxOptions = 1_000
const maxOfOption = 20

/**
 * Reads unions, and unions in their options, outermost first. A value of a hundred bytes can fail in
 * millions of ways, so each problem is read only as far as its share goes.
 */
class ProblemReader {
  #left = maxRead

  read(problem: Problem): ReadProblem {
    const open: (() => void)[] = []
    const start = this.#left
    const take = (problem: Problem): ReadProblem => {
      this.#left--
      if (problem.kind !== 'union') return problem
      const options: ReadProblem[][] = []
      open.push(() => {
        for (const option of first(maxOptions, problem.options)) {
          options.push(Array.from(first(maxOfOption, option), take))
        }
      })
      return { ...problem, options }
    }
    const read = take(problem)
    for (const readOptions of open) {
      if (this.#left <= 0 || start - this.#left >= maxReadEach) break
      readOptions()
    }
    return read
  }
}

function* first<T>(count: number, items: Iterable<T>): Generator<T> {
  let left = count
  for (const item of items) {
    if (left-- === 0) return
    yield item
  }
}

const maxSentence = 1_000

function toSentence(clause: string): string {
  const text = excerpt(clause, maxSentence)
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

function toClauses(problem: ReadProblem, root: unknown, level = 1): readonly string[] {
  const subject = toSubject(problem.path)
  switch (problem.kind) {
    case 'mismatch':
      return [`${subject} ${toMismatchText(problem, valueAt(root, problem.path))}`]
    case 'size':
      return [`${subject} ${toSizeText(problem, valueAt(root, problem.path))}`]
    case 'unexpected':
      return [`${subject} is not allowed here`]
    case 'message':
      return [toMessageText(problem.path, problem.message, valueAt(root, problem.path))]
    case 'union':
      return toLikelyProblems(problem).flatMap((likely) =>
        likely.kind === 'union'
          ? [toOptionsText(likely, root, level)]
          : toClauses(likely, root, level),
      )
  }
}

function toSubject(path: Path): string {
  return path.length === 0 ? 'The value' : `"${toPathText(path)}"`
}

function toMismatchText({ expected, others, by }: Mismatch, value: unknown): string {
  const wanted = expected.length === 0 ? '' : `must be ${eitherPhrase(expected, others)}`
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

function toMessageText(path: Path, message: string, value: unknown): string {
  const text = excerpt(message, longestMessage(value)).trim().replace(/\s+/g, ' ')
  const isPredicate = /^(must|should|may|can|cannot|is|has|does|needs|takes|fits)\b/.test(text)
  if (isPredicate) return `${toSubject(path)} ${text}`
  return path.length === 0 ? text : `${toSubject(path)}: ${text}`
}

/** A validator's message may repeat the value, so a message about a long one is cut. */
function longestMessage(value: unknown): number {
  const isShort =
    typeof value === 'string' ? value.length <= maxRepeated : !(value instanceof Object)
  return isShort ? maxSentence : maxRepeated
}

const maxLevels = 2

function toOptionsText(union: ReadUnion, root: unknown, level: number): string {
  const subject = `${toSubject(union.path)} fits none of the allowed forms`
  if (level > maxLevels) return subject
  const firsts = new Set(
    union.options.flatMap(([first]) =>
      first ? toClauses(first, root, level + 1).slice(0, 1) : [],
    ),
  )
  const [only, ...more] = firsts
  if (only === undefined) return subject
  if (more.length === 0) return only
  const rest = more.length > 3 ? [...more.slice(0, 3), `${more.length - 3} more`] : more
  return `${subject}: either ${[only, ...rest].join(', or ')}`
}

/**
 * Reduces a union without a matching option to the problems of the option that the sender most likely
 * meant, or to one problem that lists all allowed types or values. Options that are equally likely
 * are returned as a smaller union.
 */
function toLikelyProblems(union: ReadUnion): readonly ReadProblem[] {
  if (union.options.length === 0) return [union]
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

function reduce(problem: ReadProblem): readonly ReadProblem[] {
  return problem.kind === 'union' ? toLikelyProblems(problem) : [problem]
}

function mismatchAt(option: readonly ReadProblem[], path: Path): Mismatch | null {
  for (const problem of option) {
    const isHere = problem.kind === 'mismatch' && problem.by !== 'format'
    if (isHere && isSamePath(problem.path, path)) return problem
  }
  return null
}

function literalIn(option: readonly ReadProblem[]): Mismatch | null {
  for (const problem of option) {
    if (problem.kind === 'mismatch' && problem.by === 'literal') return problem
  }
  return null
}

function merge(mismatches: readonly Mismatch[], path: Path): Mismatch {
  const expected = [...new Set(mismatches.flatMap((mismatch) => mismatch.expected))]
  const others = mismatches.reduce((sum, mismatch) => sum + (mismatch.others ?? 0), 0)
  const by = mismatches.every((mismatch) => mismatch.by === 'type') ? 'type' : 'literal'
  return { kind: 'mismatch', path, expected, others, by }
}

function isSamePath(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index])
}
