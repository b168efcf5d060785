import type { JsonObject } from '../../protocol/json.ts'
import type { Checked } from '../check.ts'
import type { Problem } from '../problem.ts'
import { toSentences } from '../sentences.ts'
import type { JsonSchema } from '../standard-schema.ts'
import { applicators, unevaluated } from './applicators.ts'
import { assertions } from './assertions.ts'
import { Budget, BudgetExceeded } from './budget.ts'
import { type Dialect, type Subschema, readDialect } from './keywords.ts'
import { TextTooLong } from './pattern-guard.ts'
import { SchemaReferences } from './references.ts'
import { type CreateRule, type Rule, type RuleContext, fitsAll, listNames } from './rules.ts'
import { EvaluatedMembers, type Scope, ValueVisit } from './value-visit.ts'

const maxSteps = 200_000
/** For a value of any size: a small value that takes more is an attack. */
const firstSteps = 25_000
const stepsPerMember = 50
/** For all matches of patterns in a value. */
const matchSteps = 100_000

/**
 * Creates the check of a plain JSON Schema. The schema is compiled while values are checked, each part at
 * its first use. A value that takes too many steps for its size is refused before the check ends.
 */
export function createJsonSchemaCheck(schema: JsonSchema): (value: unknown) => Checked {
  let checker: JsonSchemaChecker | undefined
  return (value) => {
    if (value === undefined) return refuse('The value is missing.')
    checker ??= new JsonSchemaChecker(schema)
    try {
      if (checker.fits(value)) return { ok: true, value }
      return { ok: false, problems: toSentences(checker.listProblems(value), value) }
    } catch (error) {
      return refuse(toValueProblem(error))
    }
  }
}

function refuse(problem: string): Checked {
  return { ok: false, problems: [problem] }
}

/** Converts an error that the value caused to a sentence, and throws one that the schema caused. */
function toValueProblem(error: unknown): string {
  // the engine throws a RangeError when the stack is full
  if (error instanceof RangeError) return new BudgetExceeded().message
  if (error instanceof BudgetExceeded || error instanceof TextTooLong) return error.message
  throw error
}

/** A schema as rules, of which only those for the keywords that it has are run. */
interface CompiledSchema {
  readonly rules: readonly Rule[]
  /** Those about what the others have not evaluated. */
  readonly restRules: readonly Rule[]
  readonly base: string
}

/** Checks values against one JSON Schema of 2020-12 or draft-07. It compiles no code: Workers have no `eval`. */
class JsonSchemaChecker {
  readonly #root: JsonObject
  readonly #dialect: Dialect
  readonly #budget = new Budget()
  readonly #matches = new Budget()
  readonly #references: SchemaReferences
  readonly #compiled = new Map<JsonObject, CompiledSchema>()

  /** @throws {TypeError} when an `$id` is not a URI reference. */
  constructor(root: JsonObject) {
    this.#root = root
    this.#dialect = readDialect(root['$schema']) ?? '2020-12'
    this.#references = new SchemaReferences(root, this.#dialect)
  }

  /** @throws {BudgetExceeded | TextTooLong | RangeError} for values that are too much work. */
  fits(value: unknown): boolean {
    try {
      return this.#visit(value, null, firstSteps)
    } catch (error) {
      const steps = Math.min(measure(value, maxSteps / stepsPerMember) * stepsPerMember, maxSteps)
      if (!(error instanceof BudgetExceeded) || steps <= firstSteps) throw error
      return this.#visit(value, null, steps)
    }
  }

  /** Lists the problems of a value that does not fit, or the first of them if all would take too long. */
  listProblems(value: unknown): readonly Problem[] {
    const problems: Problem[] = []
    try {
      this.#visit(value, problems, firstSteps)
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error
    }
    if (problems.length > 0) return problems
    return [
      { kind: 'message', path: [], message: 'does not fit its schema in too many ways to list' },
    ]
  }

  #visit(value: unknown, problems: Problem[] | null, steps: number): boolean {
    this.#budget.refill(steps)
    this.#matches.refill(matchSteps)
    return this.#apply(this.#root, new ValueVisit(value, null, problems, null, null))
  }

  #apply(schema: Subschema, visit: ValueVisit): boolean {
    this.#budget.spend()
    if (schema === true) return true
    if (schema === false) return visit.fail((path) => ({ kind: 'unexpected', path }))
    const compiled = this.#compile(schema)
    const own = this.#enter(compiled, visit)
    // after a problem, what is left over would be members that a schema knows and has not counted
    const holds = (rule: Rule): boolean => rule(own)
    const fits = fitsAll(compiled.rules, own, holds) && fitsAll(compiled.restRules, own, holds)
    // what a schema that does not fit has evaluated does not count
    if (fits && own.evaluated !== null) visit.evaluated?.add(own.evaluated)
    return fits
  }

  /** Gives a schema a record of its own where one is kept: it must not see what its neighbours evaluated. */
  #enter({ restRules, base }: CompiledSchema, visit: ValueVisit): ValueVisit {
    const { value, at, problems, evaluated, scope, unions } = visit
    const isRecorded = restRules.length > 0 || evaluated !== null
    const isScoped = this.#references.isDynamic && scope?.base !== base
    if (!isRecorded && !isScoped) return visit
    const own: Scope | null = isScoped ? { outer: scope, base } : scope
    return new ValueVisit(
      value,
      at,
      problems,
      isRecorded ? new EvaluatedMembers() : null,
      own,
      unions,
    )
  }

  #compile(schema: JsonObject): CompiledSchema {
    const known = this.#compiled.get(schema)
    if (known !== undefined) return known
    const compiled = {
      rules: this.#createRules(schema, keywords),
      restRules: this.#createRules(schema, restKeywords),
      base: this.#references.baseOf(schema),
    }
    this.#compiled.set(schema, compiled)
    return compiled
  }

  #createRules(schema: JsonObject, keywords: Keywords): readonly Rule[] {
    const context: RuleContext = {
      dialect: this.#dialect,
      budget: this.#budget,
      matches: this.#matches,
      references: this.#references,
      apply: (subschema, visit) => this.#apply(subschema, visit),
    }
    const isReference = this.#dialect === '7' && '$ref' in schema
    return keywords.flatMap(([keyword, createRule]) => {
      if (!Object.hasOwn(schema, keyword) || (isReference && keyword !== '$ref')) return []
      return createRule(schema[keyword], schema, context) ?? []
    })
  }
}

/** Counts the members of a value, up to `most`. A long text counts as several. */
function measure(value: unknown, most: number): number {
  const open = [value]
  let count = 0
  while (open.length > 0 && count < most) {
    const one = open.pop()
    count += typeof one === 'string' ? 1 + Math.floor(one.length / 256) : 1
    if (Array.isArray(one)) open.push(...one.slice(0, most))
    else if (typeof one === 'object' && one !== null) {
      for (const name of listNames(one).slice(0, most)) open.push(Reflect.get(one, name))
    }
  }
  return count
}

type Keywords = readonly (readonly [string, CreateRule])[]

const keywords: Keywords = [...Object.entries(assertions), ...Object.entries(applicators)]
const restKeywords: Keywords = Object.entries(unevaluated)
