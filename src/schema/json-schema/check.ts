import { type OutputUnit, validate } from '@cfworker/json-schema'
import type { Checked } from '../check.ts'
import { toSentences } from '../sentences.ts'
import type { JsonSchema } from '../standard-schema.ts'
import { Budget, BudgetExceeded } from './budget.ts'
import { type CompiledSchema, type ItemComparison, compileSchema } from './compile.ts'
import { type Dialect, readDialect } from './keywords.ts'
import { readOutputUnits } from './output-units.ts'
import { TextTooLong } from './pattern-guard.ts'

const maxSteps = 200_000
const firstSteps = 10_000
const stepsPerMember = 50
const listingSteps = 10_000
const matchSteps = 100_000

/**
 * Creates the check of a plain JSON Schema. The schema is compiled at the first check. A value that is
 * too large or too deeply nested for the schema is refused before the check ends. Steps are granted by
 * the size of the value: a small value that takes many is an attack, a large one is not.
 */
export function createJsonSchemaCheck(schema: JsonSchema): (value: unknown) => Checked {
  const budget = new Budget(maxSteps)
  const matches = new Budget(matchSteps)
  const dialect = readDialect(schema.$schema) ?? '2020-12'
  let compiled: CompiledSchema | undefined
  return (value) => {
    if (value === undefined) return refuse('The value is missing.')
    compiled ??= compileSchema(schema, budget, matches)
    try {
      budget.refill(firstSteps)
      matches.refill()
      const view = createView(budget, compiled.comparison)(value)
      const first = validate(view, compiled.schema, dialect, compiled.lookup)
      if (first.valid) return { ok: true, value }
      const units = listUnits(compiled, view, budget, dialect) ?? first.errors
      return { ok: false, problems: toSentences(readOutputUnits(compiled, units, value), value) }
    } catch (error) {
      return refuse(toValueProblem(error))
    }
  }
}

/** Lists all errors of a value; `null` if that takes too long, where the first has to do. */
function listUnits(
  { schema, lookup }: CompiledSchema,
  view: unknown,
  budget: Budget,
  dialect: Dialect,
): readonly OutputUnit[] | null {
  try {
    budget.refill(listingSteps)
    return validate(view, schema, dialect, lookup, false).errors
  } catch (error) {
    if (error instanceof BudgetExceeded) return null
    throw error
  }
}

function refuse(problem: string): Checked {
  return { ok: false, problems: [problem] }
}

/** Converts an error that the value caused to a sentence, and throws one that the schema caused. */
function toValueProblem(error: unknown): string {
  // the engine throws a RangeError when the stack is full
  if (error instanceof BudgetExceeded || error instanceof RangeError)
    return new BudgetExceeded().message
  if (error instanceof TextTooLong) return error.message
  // the validator encodes names for URI fragments, which is impossible for a lone surrogate
  if (error instanceof URIError) return 'The value has a field whose name is not valid Unicode.'
  throw error
}

/**
 * Creates the view of a value that the validator reads: as in JSON, without `undefined` members. Each
 * read spends a step of the budget, so that even the comparison with a long `enum` ends.
 */
function createView(budget: Budget, comparison: ItemComparison): (value: unknown) => unknown {
  const views = new Map<object, object>()
  const handler: ProxyHandler<object> = {
    get(target, key) {
      budget.spend()
      const shown = comparison.show(target)
      return shown === undefined ? view(Reflect.get(target, key)) : shown
    },
    ownKeys(target) {
      const keys = Reflect.ownKeys(target)
      budget.spend(keys.length)
      return keys
    },
  }
  function view(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    const known = views.get(value)
    if (known !== undefined) return known
    // a copy, because a proxy of a frozen object must return the members themselves
    const level = copyLevel(value)
    for (const member of Object.values(level)) budget.grant(stepsOf(member))
    const created = new Proxy(level, handler)
    views.set(value, created)
    return created
  }
  return view
}

function stepsOf(member: unknown): number {
  // as many as one comparison of a long text takes
  return stepsPerMember + (typeof member === 'string' ? Math.ceil(member.length / 8) : 0)
}

function copyLevel(value: object): object {
  if (Array.isArray(value)) return value.map((item: unknown) => (item === undefined ? null : item))
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}
