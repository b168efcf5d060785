import { type Schema, dereference } from '@cfworker/json-schema'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { toCanonicalJson } from '../../util/digest.ts'
import { type Budget, whenVisited } from './budget.ts'
import { type Subschema, childrenOf } from './keywords.ts'
import { createPatternGuard } from './pattern-guard.ts'

/** A schema for `@cfworker/json-schema`, with every subschema that a reference can lead to. */
export interface CompiledSchema {
  readonly schema: Schema
  readonly lookup: Record<string, Schema | boolean>
  readonly comparison: ItemComparison
}

const assertions: ReadonlySet<string> = new Set(
  (
    '$id $anchor $ref type const enum required format pattern minLength maxLength multipleOf ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems ' +
    'minContains maxContains minProperties maxProperties'
  ).split(' '),
)

/**
 * Copies a schema for the validator, which writes into its schemas and would fail on a frozen one. Each
 * subschema of the copy spends a step of the budget whenever it is applied. Annotations are left out.
 *
 * @throws {TypeError} when a `$ref` or `$id` is not a URI reference.
 */
export function compileSchema(
  schema: JsonObject,
  budget: Budget,
  matches: Budget = budget,
): CompiledSchema {
  const comparison = new ItemComparison(budget)
  const copy = copySchema(schema, { budget, matches, comparison })
  return { schema: copy, lookup: dereference(copy), comparison }
}

export function targetOf(compiled: CompiledSchema, schema: Schema): Schema | boolean | undefined {
  // the validator adds the absolute URI while it builds the lookup
  const { __absolute_ref__: uri } = schema
  return uri === undefined ? undefined : compiled.lookup[uri]
}

interface Helpers {
  readonly budget: Budget
  /** What the matches of costly patterns may take. */
  readonly matches: Budget
  readonly comparison: ItemComparison
}

function copySchema(schema: Subschema, helpers: Helpers): Schema {
  const { budget } = helpers
  const price = priceOf(schema)
  const copy = whenVisited(() => budget.spend(price))
  // the validator's error about `false` has no location, that about `not` has one
  if (schema === false) copy.not = {}
  if (!isJsonObject(schema)) return copy
  for (const [keyword, value] of Object.entries(schema)) {
    // `url` is not a format of JSON Schema, and the validator's pattern for it backtracks for minutes
    if (assertions.has(keyword) && !(keyword === 'format' && value === 'url')) copy[keyword] = value
  }
  // the validator prints the whole enum into each error, which is not read
  if (copy.enum !== undefined) copy.enum = Object.assign([...copy.enum], { toJSON: () => null })
  const held = Map.groupBy(childrenOf(withDependents(schema)), ({ keyword }) => keyword)
  for (const [keyword, children] of held) {
    const copies = children.map((child) => [child.key, copySchema(child.schema, helpers)] as const)
    copy[keyword] = toKeywordValue(copies)
  }
  const guards = createGuards(schema, helpers)
  if (guards.length > 0) copy.allOf = [...(copy.allOf ?? []), ...guards]
  return copy
}

/** Returns the steps of one visit: the validator reads a whole enum, and lists each missing name. */
function priceOf(schema: Subschema): number {
  if (!isJsonObject(schema)) return 1
  const { enum: values, required, const: value } = schema
  const printed = JSON.stringify(value) ?? ''
  return 1 + Math.floor(lengthOf(values) / 100 + lengthOf(required) / 5 + printed.length / 500)
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

/** Creates the schemas that bound the cost of a schema's own keywords. */
function createGuards(schema: JsonObject, { matches, comparison }: Helpers): readonly Schema[] {
  const { pattern, patternProperties, uniqueItems } = schema
  const guard = typeof pattern === 'string' ? createPatternGuard(pattern, matches) : null
  const names = isJsonObject(patternProperties) ? Object.keys(patternProperties) : []
  const nameGuards = names.map((name) => createPatternGuard(name, matches))
  return [
    guard,
    ...nameGuards.map((propertyNames) => propertyNames && { propertyNames }),
    uniqueItems === true ? comparison.createSchema() : null,
  ].filter((guard) => guard !== null)
}

function toKeywordValue(copies: readonly (readonly [string | number | null, Schema])[]): unknown {
  const [key, only] = copies[0] ?? [null, undefined]
  if (key === null) return only
  return typeof key === 'number' ? copies.map(([, copy]) => copy) : Object.fromEntries(copies)
}

/** Converts `dependentRequired` and draft-07's `dependencies` to `dependentSchemas`. */
function withDependents(schema: JsonObject): JsonObject {
  const all = [schema['dependentSchemas'], schema['dependentRequired'], schema['dependencies']]
  const entries = all.filter(isJsonObject).flatMap((dependents) => Object.entries(dependents))
  if (entries.length === 0) return schema
  const byName = Map.groupBy(entries, ([name]) => name)
  const dependentSchemas = Object.fromEntries(
    [...byName].map(([name, same]) => [name, { allOf: same.map(([, needs]) => toNeeds(needs)) }]),
  )
  return { ...schema, dependencies: undefined, dependentSchemas }
}

function toNeeds(needs: unknown): unknown {
  return Array.isArray(needs) ? { required: needs } : needs
}

/**
 * Checks `uniqueItems` with one read of each item, where the validator would compare every item with
 * every other. It shows the validator two equal items for an array with a duplicate, and none for any
 * other array.
 */
export class ItemComparison {
  readonly #budget: Budget
  #isNext = false
  #equal = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** Creates a schema with `uniqueItems` alone: the next read of an array is then its length. */
  createSchema(): Schema {
    const schema = whenVisited(() => {
      this.#isNext = true
    })
    return { if: { not: { type: 'array' } }, else: Object.assign(schema, { uniqueItems: true }) }
  }

  /** Returns what a read of an object shows; `undefined` while no items are compared. */
  show(target: object): number | null | undefined {
    if (this.#equal > 0) {
      this.#equal--
      return null
    }
    if (!this.#isNext || !Array.isArray(target)) return undefined
    this.#isNext = false
    this.#equal = this.#hasDuplicate(target) ? 2 : 0
    return this.#equal
  }

  #hasDuplicate(items: readonly unknown[]): boolean {
    const seen = new Set<string>()
    return items.some((item) => {
      const json = toCanonicalJson(item)
      this.#budget.spend(2 + Math.floor(json.length / 8))
      return seen.size === seen.add(json).size
    })
  }
}
