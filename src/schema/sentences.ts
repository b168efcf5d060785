import {
  type Mismatch,
  type NoneFits,
  type Path,
  type Problem,
  type WrongSize,
  toPathText,
  valueAt,
} from './problem.ts'

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

const types: ReadonlyMap<string, string> = new Map([
  ['int', 'an integer'],
  ['null', 'null'],
  ['undefined', 'left out'],
  ['record', 'an object'],
  ['tuple', 'an array'],
  ['nan', 'NaN'],
])

const formats: ReadonlyMap<string, string> = new Map([
  ['email', 'an email address'],
  ['uri', 'a URL such as "https://example.com/"'],
  ['url', 'a URL such as "https://example.com/"'],
  ['date', 'a date such as "2026-11-30"'],
  ['time', 'a time such as "14:30:00"'],
  ['datetime', 'a date and time such as "2026-11-30T14:30:00Z"'],
  ['date-time', 'a date and time such as "2026-11-30T14:30:00Z"'],
  ['duration', 'a duration such as "P3DT4H"'],
  ['uuid', 'a UUID'],
  ['guid', 'a UUID'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['hostname', 'a host name'],
  ['base64', 'Base64 text'],
  ['base64url', 'Base64url text'],
  ['e164', 'a phone number such as "+14155550123"'],
])

/** Names a type with its article: `a string`, `an integer`. */
export function typePhrase(type: string): string {
  return types.get(type) ?? `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
}

/** Names a text format, such as JSON Schema's `date-time` and zod's `datetime`. */
export function formatPhrase(format: string): string {
  return formats.get(format) ?? `text in the format "${format}"`
}

/** Names the type of a value as JSON sees it. */
function typeOfPhrase(value: unknown): string {
  if (value === null) return 'null'
  return typePhrase(Array.isArray(value) ? 'array' : typeof value)
}

/** Shows a short value itself, and only the type of anything long or nested. */
export function valuePhrase(value: unknown): string {
  if (typeof value === 'string') {
    return value.length > 60 ? `a text of ${value.length} characters` : JSON.stringify(value)
  }
  const shown = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
  return shown ? String(value) : typeOfPhrase(value)
}

/** Joins alternatives: `a`, `a or b`, `a, b or c`; beyond ten it counts the rest. */
function eitherPhrase(phrases: readonly string[]): string {
  const shown = phrases.length > 10 ? phrases.slice(0, 10) : phrases
  const last = shown.length < phrases.length ? `${phrases.length - 10} others` : shown.at(-1)
  const before = shown.length < phrases.length ? shown : shown.slice(0, -1)
  return before.length === 0 ? `${last}` : `${before.join(', ')} or ${last}`
}

/**
 * Reduces a union that nothing fitted to the problems worth saying: those of the one form that the
 * sender most likely meant, or all allowed types or values as one problem. Forms that stay equally
 * likely come back as a smaller union.
 */
function toLikelyProblems(union: NoneFits): readonly Problem[] {
  const options = union.options.map((option) => option.flatMap(reduce))
  const outside = options.map((option) => mismatchAt(option, union.path))
  // every form wants another kind of value: name them all at once
  if (outside.every((mismatch) => mismatch !== null)) return [merge(outside, union.path)]
  const inside = options.filter((_, index) => outside[index] === null)
  // a literal that differs is the tag of another form
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
    const here = problem.kind === 'mismatch' && problem.by !== 'form'
    if (here && isSamePath(problem.path, path)) return problem
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
