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
import type { CreateRule, Rule, RuleContext } from './rules.ts'
import { Evaluated, type Scope, Visit } from './visit.ts'

const maxSteps = 200_000

/**
 * Creates the check of a plain JSON Schema. The schema is compiled while values are checked, each part at
 * its first use. A value that is too large or too deeply nested for the schema is refused before the
 * check ends.
 */
export function createJsonSchemaCheck(schema: JsonSchema): (value: unknown) => Checked {
  let checker: JsonSchemaChecker | undefined
  return (value) => {
    if (value === undefined) return refuse('The value is missing.')
    checker ??= new JsonSchemaChecker(schema)
    try {
      const problems = checker.findProblems(value)
      return problems.length === 0
        ? { ok: true, value }
        : { ok: false, problems: toSentences(problems, value) }
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
  if (error instanceof BudgetExceeded || error instanceof RangeError) {
    return 'The value is too large or too deeply nested to check. Send less at once.'
  }
  if (error instanceof TextTooLong) return error.message
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
  readonly #budget = new Budget(maxSteps)
  readonly #references: SchemaReferences
  readonly #compiled = new Map<JsonObject, CompiledSchema>()

  /** @throws {TypeError} when an `$id` is not a URI reference. */
  constructor(root: JsonObject) {
    this.#root = root
    this.#dialect = readDialect(root['$schema']) ?? '2020-12'
    this.#references = new SchemaReferences(root, this.#dialect)
  }

  /** @throws {BudgetExceeded | TextTooLong | RangeError} for values that are too much work. */
  findProblems(value: unknown): readonly Problem[] {
    const problems: Problem[] = []
    this.#budget.refill()
    const fits = this.#apply(this.#root, new Visit(value, null, problems, null, null))
    return fits ? [] : problems
  }

  #apply(schema: Subschema, visit: Visit): boolean {
    this.#budget.spend()
    if (schema === true) return true
    if (schema === false) return visit.fail((path) => ({ kind: 'unexpected', path }))
    const compiled = this.#compile(schema)
    const own = this.#enter(compiled, visit)
    // after a problem, what is left over would be members that a schema knows and has not counted
    const fits = all(compiled.rules, own) && all(compiled.restRules, own)
    // what a schema that does not fit has evaluated does not count
    if (fits && own.evaluated !== null) visit.evaluated?.add(own.evaluated)
    return fits
  }

  /** Gives a schema a record of its own where one is kept: it must not see what its neighbours evaluated. */
  #enter({ restRules, base }: CompiledSchema, visit: Visit): Visit {
    const { value, at, problems, evaluated, scope } = visit
    const isRecorded = restRules.length > 0 || evaluated !== null
    const isScoped = this.#references.isDynamic && scope?.base !== base
    if (!isRecorded && !isScoped) return visit
    const own: Scope | null = isScoped ? { outer: scope, base } : scope
    return new Visit(value, at, problems, isRecorded ? new Evaluated() : null, own)
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

type Keywords = readonly (readonly [string, CreateRule])[]

const keywords: Keywords = [...Object.entries(assertions), ...Object.entries(applicators)]
const restKeywords: Keywords = Object.entries(unevaluated)

/** Whether a value fits all rules. Goes on after one that it does not fit, as long as problems are wanted. */
function all(rules: readonly Rule[], visit: Visit): boolean {
  let fits = true
  for (const rule of rules) {
    if (rule(visit)) continue
    if (visit.isDecided) return false
    fits = false
  }
  return fits
}
