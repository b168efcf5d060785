import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { Budget, BudgetExceeded } from './json-schema/budget.ts'
import { TextTooLong, longestMatched, powerOf, priceOf } from './json-schema/pattern-guard.ts'

const maxSteps = 50_000
const budget = new Budget()
/** Whether the running code is a check of Helve's, where a match may end the check with an error. */
let isChecking = false

/**
 * Calls a validator whose patterns are bounded. All matches of one check share a budget, because a
 * match cannot be stopped.
 *
 * @throws {TextTooLong} for a text that is too long for its pattern.
 * @throws {BudgetExceeded} when all matches together take too long.
 */
export function validateBounded<T>(validate: (value: unknown) => T, value: unknown): T {
  budget.refill(maxSteps)
  isChecking = true
  try {
    return validate(value)
  } finally {
    isChecking = false
  }
}

/**
 * Bounds the patterns of a zod schema that may read a text repeatedly, and returns whether it has any.
 * Zod matches a pattern even if `max()` has refused the text. The patterns are replaced in the schema
 * itself: what it prints as JSON Schema does not tell which ones zod matches, and where. The unions of a schema
 * that refers to itself are bounded too.
 */
export function boundPatterns(schema: unknown): boolean {
  let isBounded = false
  const parts = new Set(partsOf(schema))
  // a set also visits what is added during the loop, and each part once
  for (const part of parts) {
    const zod: unknown = Reflect.get(part, '_zod')
    if (!isJsonObject(zod) || !isJsonObject(zod['def'])) continue
    const { def } = zod
    const isUnion = def['type'] === 'union' || def['type'] === 'intersection'
    if (isUnion && isRecursive(part)) isBounded = boundVisits(zod) || isBounded
    isBounded = boundPart(zod, def) || isBounded
    for (const inner of innerParts(part)) parts.add(inner)
  }
  return isBounded
}

function innerParts(part: object): readonly object[] {
  const zod: unknown = Reflect.get(part, '_zod')
  if (!isJsonObject(zod) || !isJsonObject(zod['def'])) return []
  // a lazy schema has its inner schema here
  return [zod['innerType'], ...Object.values(zod['def'])].flatMap(partsOf)
}

function isRecursive(schema: object): boolean {
  const within = new Set(innerParts(schema))
  for (const part of within) for (const inner of innerParts(part)) within.add(inner)
  return within.has(schema)
}

/** How often the unions of one check may look at objects: so often, and so often more for each object. */
const firstVisits = 4_000
const visitsPerObject = 20

interface Visits {
  readonly objects: Set<object>
  count: number
}

/** By the context that zod creates for each check. */
const visits = new WeakMap<object, Visits>()
const counted = new WeakSet<object>()

/**
 * Counts how often a union looks at objects, and ends the check of one that would not end: where two options
 * have a member in common that is the union again, each level doubles the work. `zod` remembers what it has
 * checked, and `zod/mini` does not.
 */
function boundVisits(zod: JsonObject): boolean {
  const { run } = zod
  if (typeof run !== 'function' || counted.has(zod)) return counted.has(zod)
  counted.add(zod)
  Reflect.set(zod, 'run', (payload: JsonObject, context: unknown) => {
    countVisit(payload['value'], context)
    return Reflect.apply(run, zod, [payload, context])
  })
  return true
}

/** @throws {BudgetExceeded} when objects were looked at too often. */
function countVisit(value: unknown, context: unknown): void {
  if (!(value instanceof Object) || !(context instanceof Object)) return
  const visited = visits.get(context) ?? { objects: new Set(), count: 0 }
  visits.set(context, visited)
  visited.objects.add(value)
  visited.count += 1
  if (visited.count > firstVisits + visitsPerObject * visited.objects.size)
    throw new BudgetExceeded()
}

/** Returns a schema or check itself, or those in a list or in the shape of an object. */
function partsOf(value: unknown): readonly object[] {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return []
  if ('_zod' in value) return [value]
  return Object.values(value).filter((one) => isJsonObject(one) && '_zod' in one)
}

/** Replaces the patterns of one schema or check. Returns whether it has some that may be slow. */
function boundPart(zod: JsonObject, def: JsonObject): boolean {
  const { format } = def
  // its alternatives exclude each other, so that a text of any length is read once
  if (format === 'emoji') return false
  const owner = def['type'] === 'template_literal' ? zod : def
  const bounded = ['pattern', 'hostname', 'protocol'].map((key) =>
    boundMember(key === 'pattern' ? owner : def, key, format),
  )
  const { pattern } = def
  // z.stringFormat() matches in a function of its own
  if (typeof def['fn'] === 'function' && pattern instanceof RegExp) {
    Reflect.set(def, 'fn', (text: string) => pattern.test(text))
  }
  return bounded.includes(true)
}

/** The replacements, by which a part that several schemas share is recognized. */
const known = new WeakSet<RegExp>()

function boundMember(owner: JsonObject, key: string, format: unknown): boolean {
  const pattern = owner[key]
  if (!(pattern instanceof RegExp)) return false
  if (known.has(pattern)) return true
  // with the flag `m`, ^ is no anchor
  const power = powerOf(pattern.multiline ? `(?:)${pattern.source}` : pattern.source)
  if (power <= 1) return false
  const bounded = new RegExp(pattern)
  bounded.test = (text) => {
    pattern.lastIndex = 0
    return mayMatch(text, power, pattern, format) && pattern.test(text)
  }
  known.add(bounded)
  Reflect.set(owner, key, bounded)
  return true
}

function mayMatch(text: string, power: number, pattern: RegExp, format: unknown): boolean {
  if (text.length <= longestMatched) {
    if (isChecking) budget.spend(priceOf(text.length, power))
    return true
  }
  // zod's own formats are not that long, and have a better sentence
  const isOwn = format !== 'regex' && format !== undefined
  if (isChecking && !isOwn) throw new TextTooLong(String(pattern))
  return false
}
