import type { Problem, Path } from '../problem.ts'

/** A step from a value to a member. A list from the end, since most values fit and need no path. */
export interface Step {
  readonly before: Step | null
  readonly key: string | number
}

/** The resources that a check has entered, for `$dynamicRef`. */
export interface Scope {
  readonly outer: Scope | null
  readonly base: string
}

/** The problems that one check lists at most: the sentences about them are far fewer. */
const maxProblems = 1_100

/** How many unions within each other list the problems of their options. */
const maxUnions = 3

/** One value that a schema is applied to. */
export class ValueVisit {
  readonly value: unknown
  readonly at: Step | null
  /** `null` where only the verdict counts, which is then known at the first problem. */
  readonly problems: Problem[] | null
  /** What the schema and the schemas in it have evaluated; `null` where nothing asks for it. */
  readonly evaluated: EvaluatedMembers | null
  readonly scope: Scope | null
  /** How many unions the schema is in. */
  readonly unions: number

  constructor(
    value: unknown,
    at: Step | null,
    problems: Problem[] | null,
    evaluated: EvaluatedMembers | null,
    scope: Scope | null,
    unions = 0,
  ) {
    this.value = value
    this.at = at
    this.problems = problems
    this.evaluated = evaluated
    this.scope = scope
    this.unions = unions
  }

  /** Whether nothing that follows can change the outcome. */
  get isDecided(): boolean {
    return this.problems === null || this.problems.length >= maxProblems
  }

  /** Reports a problem of the value, or of a member, and returns `false`. */
  fail(toProblem: (path: Path) => Problem, ...keys: readonly string[]): false {
    this.problems?.push(toProblem([...toPath(this.at), ...keys]))
    return false
  }

  failWith(message: string, ...keys: readonly string[]): false {
    return this.fail((path) => ({ kind: 'message', path, message }), ...keys)
  }

  member(value: unknown, key: string | number): ValueVisit {
    const { at, problems, scope, unions } = this
    return new ValueVisit(value, { before: at, key }, problems, null, scope, unions)
  }

  /** The same value, of which only the verdict counts. */
  quiet(evaluated: EvaluatedMembers | null = this.evaluated): ValueVisit {
    return new ValueVisit(this.value, this.at, null, evaluated, this.scope, this.unions)
  }

  /** The same value for an option of a union, with a list of problems of its own. */
  option(): ValueVisit {
    const { value, at, evaluated, scope, unions } = this
    const isListed = this.problems !== null && unions < maxUnions
    return new ValueVisit(value, at, isListed ? [] : null, evaluated, scope, unions + 1)
  }
}

function toPath(step: Step | null): Path {
  const path: (string | number)[] = []
  for (let at = step; at !== null; at = at.before) path.push(at.key)
  return path.toReversed()
}

/** The members of an object and the items of an array that schemas have evaluated. */
export class EvaluatedMembers {
  readonly names: Set<string> = new Set()
  readonly items: Set<number> = new Set()
  /** All items before this index, too. */
  itemsUpTo = 0

  hasItem(index: number): boolean {
    return index < this.itemsUpTo || this.items.has(index)
  }

  add(other: EvaluatedMembers): void {
    for (const name of other.names) this.names.add(name)
    for (const index of other.items) this.items.add(index)
    this.itemsUpTo = Math.max(this.itemsUpTo, other.itemsUpTo)
  }
}
