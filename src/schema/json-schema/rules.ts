import type { JsonObject } from '../../protocol/json.ts'
import type { Budget } from './budget.ts'
import type { Dialect, Subschema } from './keywords.ts'
import type { SchemaReferences } from './references.ts'
import type { ValueVisit } from './value-visit.ts'

/** What one keyword of a schema demands of a value. Returns whether the value fits. */
export type Rule = (visit: ValueVisit) => boolean

/** What the keywords of a schema need to know of the whole. */
export interface RuleContext {
  readonly dialect: Dialect
  readonly budget: Budget
  readonly references: SchemaReferences
  readonly apply: (schema: Subschema, visit: ValueVisit) => boolean
}

/** Creates the rule of a keyword from its value; `null` if the value is malformed and demands nothing. */
export type CreateRule = (value: unknown, schema: JsonObject, context: RuleContext) => Rule | null

/** Returns the names of an object's members as JSON has them: without those that are `undefined`. */
export function namesOf(value: object, budget: Budget): readonly string[] {
  const names = Object.keys(value)
  budget.spend(names.length)
  return names.filter((name) => Reflect.get(value, name) !== undefined)
}

export function hasMember(value: object, name: string): boolean {
  return Object.hasOwn(value, name) && Reflect.get(value, name) !== undefined
}

export function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An item as JSON has it. */
export function itemAt(items: readonly unknown[], index: number): unknown {
  const item = items[index]
  return item === undefined ? null : item
}
