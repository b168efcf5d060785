import { validate } from '@cfworker/json-schema'
import type { JsonObject } from '../../protocol/json.ts'
import type { Checked } from '../check.ts'
import { toSentences } from '../sentences.ts'
import { type CompiledSchema, type ItemComparison, compileSchema } from './compile.ts'
import { readFindings } from './findings.ts'
import { readDialect } from './keywords.ts'
import { Budget, BudgetExceeded, TextTooLong } from './pattern-guard.ts'

const steps = 200_000

/**
 * Makes the check of a plain JSON Schema. The schema is compiled at the first check, and a value that
 * is too large or too deeply nested for the schema is refused rather than checked to the end.
 */
export function createJsonSchemaCheck(schema: JsonObject): (value: unknown) => Checked {
  const budget = new Budget(steps)
  const dialect = readDialect(schema['$schema']) ?? '2020-12'
  let compiled: CompiledSchema | undefined
  return (value) => {
    if (value === undefined) return refuse('The value is missing.')
    compiled ??= compileSchema(schema, budget)
    try {
      budget.refill()
      const seen = createView(budget, compiled.comparison)(value)
      const { valid, errors } = validate(seen, compiled.schema, dialect, compiled.lookup, false)
      if (valid) return { ok: true, value }
      return { ok: false, problems: toSentences(readFindings(compiled, errors, value), value) }
    } catch (error) {
      return refuse(toRefusal(error))
    }
  }
}

function refuse(problem: string): Checked {
  return { ok: false, problems: [problem] }
}

/** Tells a value that defeats the check from a fault of the schema, which is thrown on. */
function toRefusal(error: unknown): string {
  // RangeError is how the engine reports that the stack is full
  if (error instanceof BudgetExceeded || error instanceof RangeError) {
    return 'The value is too large or too deeply nested to check. Send less at once.'
  }
  if (error instanceof TextTooLong) return error.message
  // the validator writes names into URI fragments, where a lone surrogate has no spelling
  if (error instanceof URIError) return 'The value has a field whose name is not valid Unicode.'
  throw error
}

/**
 * Shows a value to the validator as JSON would carry it, without `undefined` members, and spends a
 * step of the budget for each read, so that comparing with every value of an `enum` has an end.
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
    // a proxy may not show a frozen object's members as anything but themselves: show a copy's
    const made = new Proxy(copyLevel(value), handler)
    views.set(value, made)
    return made
  }
  return view
}

function copyLevel(value: object): object {
  if (Array.isArray(value)) return value.map((item: unknown) => (item === undefined ? null : item))
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}
