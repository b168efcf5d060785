import { validate } from '@cfworker/json-schema'
import type { Checked } from '../check.ts'
import { toSentences } from '../sentences.ts'
import type { JsonSchema } from '../standard-schema.ts'
import { Budget, BudgetExceeded } from './budget.ts'
import { type CompiledSchema, type ItemComparison, compileSchema } from './compile.ts'
import { readDialect } from './keywords.ts'
import { readOutputUnits } from './output-units.ts'
import { TextTooLong } from './pattern-guard.ts'

const maxSteps = 200_000

/**
 * Creates the check of a plain JSON Schema. The schema is compiled at the first check. A value that is
 * too large or too deeply nested for the schema is refused before the check ends.
 */
export function createJsonSchemaCheck(schema: JsonSchema): (value: unknown) => Checked {
  const budget = new Budget(maxSteps)
  const dialect = readDialect(schema.$schema) ?? '2020-12'
  let compiled: CompiledSchema | undefined
  return (value) => {
    if (value === undefined) return refuse('The value is missing.')
    compiled ??= compileSchema(schema, budget)
    try {
      budget.refill()
      const view = createView(budget, compiled.comparison)(value)
      const { valid, errors } = validate(view, compiled.schema, dialect, compiled.lookup, false)
      if (valid) return { ok: true, value }
      return { ok: false, problems: toSentences(readOutputUnits(compiled, errors, value), value) }
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
    const created = new Proxy(copyLevel(value), handler)
    views.set(value, created)
    return created
  }
  return view
}

function copyLevel(value: object): object {
  if (Array.isArray(value)) return value.map((item: unknown) => (item === undefined ? null : item))
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}
