import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import type { Problem } from '../problem.ts'
import { type Subschema, isSubschema } from './keywords.ts'
import { createMatch } from './pattern-guard.ts'
import {
  type CreateRule,
  type Rule,
  type RuleContext,
  fitsAll,
  hasMember,
  itemAt,
  namesOf,
} from './rules.ts'
import { type Scope, ValueVisit } from './value-visit.ts'

/** The keywords that apply other schemas, to the value itself and then to its members. */
export const applicators: Readonly<Record<string, CreateRule>> = {
  $ref(value, schema, { references, apply }) {
    if (typeof value !== 'string') return null
    let target: Subschema | undefined
    return (visit) => {
      // looked up at the first use: a schema may refer to itself
      target ??= references.resolve(value, schema)
      if (target === undefined) throw unresolved(value)
      return apply(target, visit)
    }
  },
  $dynamicRef(value, schema, { references, apply }) {
    if (typeof value !== 'string') return null
    return (visit) => {
      const { target, byBase } = references.resolveDynamic(value, schema)
      const chosen = findOutermost(visit.scope, byBase) ?? target
      if (chosen === undefined) throw unresolved(value)
      return apply(chosen, visit)
    }
  },
  not(value, _, { apply }) {
    if (!isSubschema(value)) return null
    const isNever = value === true || (isJsonObject(value) && Object.keys(value).length === 0)
    return (visit) => {
      if (!apply(value, visit.quiet(null))) return true
      return isNever
        ? visit.fail((path) => ({ kind: 'unexpected', path }))
        : visit.failWith('has a value that the schema rules out')
    }
  },
  anyOf(value, _, { apply }) {
    const schemas = readSchemas(value)
    return (visit) => {
      const options: Problem[][] = []
      let fits = false
      for (const schema of schemas) {
        const option = visit.option()
        if (apply(schema, option)) fits = true
        else if (option.problems !== null) options.push(option.problems)
        if (fits && visit.evaluated === null) return true
      }
      return fits || visit.fail((path) => ({ kind: 'union', path, options }))
    }
  },
  allOf(value, _, { apply }) {
    const schemas = readSchemas(value)
    return (visit) => fitsAll(schemas, visit, (schema) => apply(schema, visit))
  },
  oneOf(value, _, { apply }) {
    const schemas = readSchemas(value)
    return (visit) => {
      const options: Problem[][] = []
      let fitting = 0
      for (const schema of schemas) {
        const option = visit.option()
        if (apply(schema, option)) fitting += 1
        else if (option.problems !== null) options.push(option.problems)
        if (fitting > 1) return visit.failWith('fits several forms of which only one is allowed')
      }
      return fitting === 1 || visit.fail((path) => ({ kind: 'union', path, options }))
    }
  },
  if(value, { then, else: otherwise }, { apply }) {
    if (!isSubschema(value)) return null
    return (visit) => {
      const next = apply(value, visit.quiet()) ? then : otherwise
      return !isSubschema(next) || apply(next, visit)
    }
  },
  dependentSchemas: createDependentSchemas,
  dependencies: createDependentSchemas,
  propertyNames(value, _, { apply, budget }) {
    if (!isSubschema(value)) return null
    return (visit) => {
      if (!isJsonObject(visit.value)) return true
      return fitsAll(namesOf(visit.value, budget), visit, (name) => {
        const isAllowed = apply(value, new ValueVisit(name, null, null, null, visit.scope))
        return isAllowed || visit.failWith('is not an allowed name', name)
      })
    }
  },
  properties(value, _, { apply }) {
    if (!isJsonObject(value)) return null
    const properties = Object.entries(value).filter(([, schema]) => isSubschema(schema))
    return (visit) => {
      const { value: object } = visit
      if (!isJsonObject(object)) return true
      return fitsAll(properties, visit, ([name, schema]) => {
        if (!hasMember(object, name) || !isSubschema(schema)) return true
        visit.evaluated?.names.add(name)
        return apply(schema, visit.member(Reflect.get(object, name), name))
      })
    }
  },
  patternProperties(value, _, { apply, budget, matches }) {
    const patterns = readPatterns(value).map(
      ([pattern, schema]) => [createMatch(pattern, matches), schema] as const,
    )
    return (visit) => {
      const { value: object } = visit
      if (!isJsonObject(object)) return true
      return fitsAll(namesOf(object, budget), visit, (name) =>
        fitsAll(patterns, visit, ([match, schema]) => {
          budget.spend()
          if (!match(name)) return true
          visit.evaluated?.names.add(name)
          return apply(schema, visit.member(Reflect.get(object, name), name))
        }),
      )
    }
  },
  additionalProperties(value, { properties, patternProperties }, { apply, budget, matches }) {
    if (!isSubschema(value)) return null
    const named = isJsonObject(properties) ? properties : {}
    const patterns = readPatterns(patternProperties).map(([pattern]) =>
      createMatch(pattern, matches),
    )
    return createRestRule(
      value,
      (name) => Object.hasOwn(named, name) || patterns.some((match) => match(name)),
      { apply, budget },
    )
  },
  prefixItems: (value, _, { dialect, apply }) =>
    dialect === '7' ? null : createPrefixRule(value, apply),
  items(value, { prefixItems }, { dialect, apply }) {
    if (Array.isArray(value)) return createPrefixRule(value, apply)
    const from = dialect !== '7' && Array.isArray(prefixItems) ? prefixItems.length : 0
    return isSubschema(value) ? createItemsRule(value, from, apply) : null
  },
  additionalItems(value, { items }, { dialect, apply }) {
    const isUsed = dialect === '7' && Array.isArray(items) && isSubschema(value)
    return isUsed ? createItemsRule(value, items.length, apply) : null
  },
  contains: createContains,
}

/** The keywords that apply to what all others have left over. */
export const unevaluated: Readonly<Record<string, CreateRule>> = {
  unevaluatedItems(value, _, { apply }) {
    if (!isSubschema(value)) return null
    return (visit) => {
      const { value: items, evaluated } = visit
      if (!Array.isArray(items) || evaluated === null) return true
      return allItems(items, 0, visit, (item, index) => {
        if (evaluated.hasItem(index)) return true
        evaluated.items.add(index)
        return apply(value, item())
      })
    }
  },
  unevaluatedProperties(value, _, context) {
    if (!isSubschema(value)) return null
    return (visit) =>
      createRestRule(value, (name) => visit.evaluated?.names.has(name) ?? true, context)(visit)
  },
}

type Apply = RuleContext['apply']

/** Whether all items from an index fit. The visit of an item is created only where it is needed. */
function allItems(
  items: readonly unknown[],
  from: number,
  visit: ValueVisit,
  fits: (item: () => ValueVisit, index: number) => boolean,
): boolean {
  let isFitting = true
  for (let index = from; index < items.length; index += 1) {
    if (fits(() => visit.member(itemAt(items, index), index), index)) continue
    if (visit.isDecided) return false
    isFitting = false
  }
  return isFitting
}

/** The build refuses such a schema, so that this is a schema that no build has seen. */
function unresolved(reference: string): TypeError {
  return new TypeError(`Unresolved reference ${JSON.stringify(reference)} in a JSON Schema.`)
}

/** Finds the schema of the outermost resource that a check has entered. */
function findOutermost(
  scope: Scope | null,
  byBase: ReadonlyMap<string, JsonObject>,
): JsonObject | undefined {
  let found: JsonObject | undefined
  for (let at = scope; at !== null; at = at.outer) found = byBase.get(at.base) ?? found
  return found
}

function readSchemas(value: unknown): readonly Subschema[] {
  return Array.isArray(value) ? value.filter(isSubschema) : []
}

function readPatterns(value: unknown): readonly (readonly [string, Subschema])[] {
  const entries = Object.entries(isJsonObject(value) ? value : {})
  return entries.flatMap(([pattern, schema]) =>
    isSubschema(schema) ? [[pattern, schema] as const] : [],
  )
}

/** Creates the rule for the members that other keywords leave over. */
function createRestRule(
  schema: Subschema,
  isNamed: (name: string) => boolean,
  { apply, budget }: Pick<RuleContext, 'apply' | 'budget'>,
): Rule {
  return (visit) => {
    const { value: object } = visit
    if (!isJsonObject(object)) return true
    return fitsAll(namesOf(object, budget), visit, (name) => {
      if (isNamed(name)) return true
      visit.evaluated?.names.add(name)
      return apply(schema, visit.member(Reflect.get(object, name), name))
    })
  }
}

function createPrefixRule(value: unknown, apply: Apply): Rule {
  const schemas = readSchemas(value)
  return (visit) => {
    const { value: items, evaluated } = visit
    if (!Array.isArray(items)) return true
    const end = Math.min(schemas.length, items.length)
    if (evaluated !== null) evaluated.itemsUpTo = Math.max(evaluated.itemsUpTo, end)
    return fitsAll(schemas.slice(0, end), visit, (schema, index) =>
      apply(schema, visit.member(itemAt(items, index), index)),
    )
  }
}

function createItemsRule(schema: Subschema, from: number, apply: Apply): Rule {
  return (visit) => {
    const { value: items, evaluated } = visit
    if (!Array.isArray(items)) return true
    if (evaluated !== null) evaluated.itemsUpTo = items.length
    return allItems(items, from, visit, (item) => apply(schema, item()))
  }
}

function createContains(value: unknown, schema: JsonObject, context: RuleContext): Rule | null {
  if (!isSubschema(value)) return null
  const { dialect, apply } = context
  const isCounted = dialect !== '7'
  const least = isCounted && typeof schema['minContains'] === 'number' ? schema['minContains'] : 1
  const most =
    isCounted && typeof schema['maxContains'] === 'number' ? schema['maxContains'] : Infinity
  return (visit) => {
    const { value: items, evaluated } = visit
    if (!Array.isArray(items)) return true
    let count = 0
    for (let index = 0; index < items.length; index += 1) {
      const isOne = apply(
        value,
        new ValueVisit(itemAt(items, index), null, null, null, visit.scope),
      )
      if (!isOne) continue
      count += 1
      if (isCounted) evaluated?.items.add(index)
      if (evaluated === null && count >= least && most === Infinity) break
    }
    const atMost = most === Infinity ? '' : ` and at most ${most}`
    return (
      (count >= least && count <= most) ||
      visit.failWith(`must hold at least ${least}${atMost} of the items that the schema asks for`)
    )
  }
}

/** Creates the rule of `dependentSchemas`, and of schemas in draft-07's `dependencies`. */
function createDependentSchemas(
  value: unknown,
  _schema: JsonObject,
  { apply }: RuleContext,
): Rule | null {
  if (!isJsonObject(value)) return null
  const dependents = Object.entries(value).filter(([, schema]) => isSubschema(schema))
  return (visit) => {
    const { value: object } = visit
    if (!isJsonObject(object)) return true
    return fitsAll(dependents, visit, ([name, schema]) =>
      hasMember(object, name) && isSubschema(schema) ? apply(schema, visit) : true,
    )
  }
}
