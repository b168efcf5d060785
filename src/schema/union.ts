import type { Path } from './path.ts'
import type { Mismatch, NoneFits, Problem } from './problem.ts'

/**
 * Reduces a union that nothing fitted to the problems worth saying: those of the one form that the
 * sender most likely meant, or all allowed types or values as one problem. Forms that stay equally
 * likely come back as a smaller union.
 */
export function toLikelyProblems(union: NoneFits): readonly Problem[] {
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
