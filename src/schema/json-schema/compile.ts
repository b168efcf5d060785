import { type Schema, dereference } from '@cfworker/json-schema'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { toCanonicalJson } from '../../util/digest.ts'
import { type Subschema, childrenOf } from './keywords.ts'
import { type Budget, createPatternGuard } from './pattern-guard.ts'

/** A schema as `@cfworker/json-schema` takes it, with all that its references can lead to. */
export interface CompiledSchema {
  readonly schema: Schema
  readonly lookup: Record<string, Schema | boolean>
  /** What the value's view has to show while items are compared. */
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
 * Copies a schema for the validator, which writes into what it is given and would trip over an
 * author's frozen object. Each subschema of the copy spends a step of the budget whenever it is
 * applied; annotations are left out; what can be said in two ways is said in one.
 *
 * @throws {TypeError} when a `$ref` or `$id` is not a URI reference.
 */
export function compileSchema(schema: JsonObject, budget: Budget): CompiledSchema {
  const comparison = new ItemComparison(budget)
  const copy = copySchema(schema, { budget, comparison })
  return { schema: copy, lookup: dereference(copy), comparison }
}

/** What the `$ref` of a compiled subschema points to; `undefined` where that is nothing. */
export function targetOf(compiled: CompiledSchema, schema: Schema): Schema | boolean | undefined {
  // the validator noted the absolute URI down while it gathered the lookup
  const { __absolute_ref__: uri } = schema
  return uri === undefined ? undefined : compiled.lookup[uri]
}

interface Helpers {
  readonly budget: Budget
  readonly comparison: ItemComparison
}

function copySchema(schema: Subschema, helpers: Helpers): Schema {
  const { budget } = helpers
  const copy = whenVisited(() => budget.spend())
  // its findings about `false` lack a location, those about `not` have one
  if (schema === false) copy.not = {}
  if (!isJsonObject(schema)) return copy
  for (const [keyword, value] of Object.entries(schema)) {
    // `url` is no format of JSON Schema, and the validator's pattern for it backtracks for minutes
    if (assertions.has(keyword) && !(keyword === 'format' && value === 'url')) copy[keyword] = value
  }
  const held = Map.groupBy(childrenOf(withDependents(schema)), ({ keyword }) => keyword)
  for (const [keyword, children] of held) {
    const copies = children.map((child) => [child.key, copySchema(child.schema, helpers)] as const)
    copy[keyword] = gather(copies)
  }
  const added = toAdded(schema, helpers)
  if (added.length > 0) copy.allOf = [...(copy.allOf ?? []), ...added]
  return copy
}

/** What stands beside a schema's own keywords, to bound those that the validator would not. */
function toAdded(schema: JsonObject, { budget, comparison }: Helpers): readonly Schema[] {
  const { pattern, patternProperties, uniqueItems } = schema
  const guard = typeof pattern === 'string' ? createPatternGuard(pattern, budget) : null
  const names = isJsonObject(patternProperties) ? Object.keys(patternProperties) : []
  const nameGuards = names.map((name) => createPatternGuard(name, budget))
  return [
    guard,
    ...nameGuards.map((propertyNames) => propertyNames && { propertyNames }),
    uniqueItems === true ? comparison.createSchema() : null,
  ].filter((added) => added !== null)
}

function gather(copies: readonly (readonly [string | number | null, Schema])[]): unknown {
  const [key, only] = copies[0] ?? [null, undefined]
  if (key === null) return only
  return typeof key === 'number' ? copies.map(([, copy]) => copy) : Object.fromEntries(copies)
}

/** Rewrites `dependentRequired` and draft-07's `dependencies` as the `dependentSchemas` they mean. */
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
 * Answers `uniqueItems` in one look at each item, where the validator compares every item with every
 * other. An array that holds an item twice is shown to it as two equal items, any other as empty.
 */
export class ItemComparison {
  readonly #budget: Budget
  #isNext = false
  #equal = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** A schema that asks this and nothing else: what is read next is the length, to compare items. */
  createSchema(): Schema {
    const schema = whenVisited(() => {
      this.#isNext = true
    })
    return { if: { not: { type: 'array' } }, else: Object.assign(schema, { uniqueItems: true }) }
  }

  /** What is shown for what is read of an object; `undefined` while no items are compared. */
  show(target: object): number | null | undefined {
    if (this.#equal > 0) {
      this.#equal--
      return null
    }
    if (!this.#isNext || !Array.isArray(target)) return undefined
    this.#isNext = false
    this.#equal = this.#holdsTwice(target) ? 2 : 0
    return this.#equal
  }

  #holdsTwice(items: readonly unknown[]): boolean {
    const seen = new Set<string>()
    return items.some((item) => {
      const json = toCanonicalJson(item)
      this.#budget.spend(2 + Math.floor(json.length / 8))
      return seen.size === seen.add(json).size
    })
  }
}

/**
 * Makes an empty schema that does something each time the validator applies it. The validator reads
 * every keyword once a visit, so one that nobody uses tells of the visit.
 */
export function whenVisited(act: () => void): Schema {
  return Object.defineProperty({}, '$recursiveAnchor', { get: act })
}
