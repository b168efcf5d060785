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
  /** For matching patterns, which take steps by the length of the text. */
  readonly matches: Budget
  readonly references: SchemaReferences
  readonly apply: (schema: Subschema, visit: ValueVisit) => boolean
}

/** Creates the rule of a keyword from its value; `null` if the value is malformed and demands nothing. */
export type CreateRule = (value: unknown, schema: JsonObject, context: RuleContext) => Rule | null

/** Returns the names of an object's members as JSON has them: without those that are `undefined`. */
export function namesOf(value: object, budget: Budget): readonly string[] {
  const names = listNames(value)
  budget.spend(names.length)
  return names
}

const large = 256
/**
 * The engine takes as long to list the names of a large object as to check it. Kept by the object, which
 * nothing changes between two checks: it comes from JSON.parse.
 */
const known = new WeakMap<object, readonly string[]>()

export function listNames(value: object): readonly string[] {
  const found = known.get(value)
  if (found !== undefined) return found
  const names = Object.keys(value).filter((name) => Reflect.get(value, name) !== undefined)
  if (names.length > large) known.set(value, names)
  return names
}

export function hasMember(value: object, name: string): boolean {
  return Object.hasOwn(value, name) && Reflect.get(value, name) !== undefined
}

/**
 * Whether a value fits in all parts. Goes on after one where it does not, as long as problems are wanted.
 */
export function fitsAll<Part>(
  parts: readonly Part[],
  visit: ValueVisit,
  fits: (part: Part, index: number) => boolean,
): boolean {
  let isFitting = true
  let index = 0
  for (const part of parts) {
    if (!fits(part, index)) {
      if (visit.isDecided) return false
      isFitting = false
    }
    index += 1
  }
  return isFitting
}

/** An item as JSON has it. */
export function itemAt(items: readonly unknown[], index: number): unknown {
  const item = items[index]
  return item === undefined ? null : item
}
