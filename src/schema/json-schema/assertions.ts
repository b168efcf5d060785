import { format } from '@cfworker/json-schema'
import { type JsonObject, isJsonObject, isTextList } from '../../protocol/json.ts'
import { toCanonicalJson } from '../../util/digest.ts'
import { excerpt } from '../../util/excerpt.ts'
import {
  type Mismatch,
  type WrongSize,
  formatPhrase,
  toAllowedValues,
  typePhrase,
  valuePhrase,
} from '../problem.ts'
import type { Budget } from './budget.ts'
import { createMatch } from './pattern-guard.ts'
import { type CreateRule, type Rule, hasMember, namesOf } from './rules.ts'
import type { ValueVisit } from './value-visit.ts'

/** The keywords that look at a value itself, in the order in which their problems are reported. */
export const assertions: Readonly<Record<string, CreateRule>> = {
  type(value) {
    const types: readonly unknown[] = Array.isArray(value) ? value : [value]
    const expected = types.map((type) => typePhrase(String(type)))
    return (visit) =>
      types.some((type) => isOfType(visit.value, type)) || mismatch(visit, 'type', expected)
  },
  const: (value, _, { budget }) => createEnum([value], budget),
  enum: (value, _, { budget }) => (Array.isArray(value) ? createEnum(value, budget) : null),
  required(value, schema) {
    if (!isTextList(value)) return null
    return (visit) => !isJsonObject(visit.value) || hasAll(visit, visit.value, value, schema)
  },
  minProperties: createSize('at least', 'field', countNames),
  maxProperties: createSize('at most', 'field', countNames),
  dependentRequired: createDependentRequired,
  dependencies: createDependentRequired,
  minItems: createSize('at least', 'item', countItems),
  maxItems: createSize('at most', 'item', countItems),
  uniqueItems(value, _, { budget }) {
    if (value !== true) return null
    return (visit) =>
      !Array.isArray(visit.value) ||
      !hasDuplicate(visit.value, budget) ||
      visit.failWith('must not hold the same item twice')
  },
  minimum: createSize('at least', null, readNumber),
  maximum: createSize('at most', null, readNumber),
  exclusiveMinimum: createSize('more than', null, readNumber),
  exclusiveMaximum: createSize('less than', null, readNumber),
  multipleOf(value) {
    if (typeof value !== 'number' || !(value > 0 && value < Infinity)) return null
    return (visit) =>
      typeof visit.value !== 'number' ||
      isMultiple(visit.value, value) ||
      mismatch(visit, 'format', [`a multiple of ${value}`])
  },
  minLength: createSize('at least', 'character', countCharacters),
  maxLength: createSize('at most', 'character', countCharacters),
  pattern(value, _, { matches }) {
    if (typeof value !== 'string') return null
    const match = createMatch(value, matches)
    return (visit) =>
      typeof visit.value !== 'string' ||
      match(visit.value) ||
      mismatch(visit, 'format', [`text that matches /${excerpt(value)}/`])
  },
  format(value, _, { budget }) {
    // `url` is not a format of JSON Schema, and the pattern for it backtracks for minutes
    if (typeof value !== 'string' || value === 'url' || !Object.hasOwn(format, value)) return null
    const isValid = format[value]
    return (visit) => {
      if (typeof visit.value !== 'string') return true
      budget.spendOnText(visit.value)
      return isValid?.(visit.value) !== false || mismatch(visit, 'format', [formatPhrase(value)])
    }
  },
}

function mismatch(visit: ValueVisit, by: Mismatch['by'], expected: readonly string[]): false {
  return visit.fail((path) => ({ kind: 'mismatch', path, expected, by }))
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function createEnum(allowed: readonly unknown[], budget: Budget): Rule {
  const literals = new DistinctValues(budget)
  for (const value of allowed) literals.add(value)
  return (visit) =>
    literals.has(visit.value) ||
    visit.fail((path) => ({
      kind: 'mismatch',
      path,
      ...toAllowedValues(allowed, toLiteral),
      by: 'literal',
    }))
}

function toLiteral(value: unknown): string {
  return typeof value === 'object' ? excerpt(JSON.stringify(value), 60) : valuePhrase(value)
}

/** A set of JSON values. Comparing costs one look, instead of one for each member of the set. */
class DistinctValues {
  readonly #budget: Budget
  readonly #simple = new Set<unknown>()
  readonly #nested = new Set<string>()

  constructor(budget: Budget) {
    this.#budget = budget
  }

  has(value: unknown): boolean {
    return isNested(value) ? this.#nested.has(this.#print(value)) : this.#simple.has(value)
  }

  /** Returns whether the value is new. */
  add(value: unknown): boolean {
    const isNew = !this.has(value)
    if (isNested(value)) this.#nested.add(this.#print(value))
    else this.#simple.add(value)
    return isNew
  }

  #print(value: object): string {
    const json = toCanonicalJson(value)
    this.#budget.spend(Math.ceil(json.length / 8))
    return json
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function hasDuplicate(items: readonly unknown[], budget: Budget): boolean {
  const distinct = new DistinctValues(budget)
  budget.spend(items.length)
  return !items.every((item) => distinct.add(item ?? null))
}

/** Reports each missing member, with the type that it must have. */
function hasAll(
  visit: ValueVisit,
  value: object,
  names: readonly string[],
  { properties }: JsonObject,
): boolean {
  const missing = names.filter((name) => !hasMember(value, name))
  for (const name of missing) {
    if (visit.isDecided) return false
    const property: unknown =
      isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : null
    const type = isJsonObject(property) ? property['type'] : undefined
    const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
    const expected = types.map((one) => typePhrase(String(one)))
    visit.fail((path) => ({ kind: 'mismatch', path, expected, by: 'type' }), name)
  }
  return missing.length === 0
}

/** Creates the rule of `dependentRequired`, and of lists in draft-07's `dependencies`. */
function createDependentRequired(dependents: unknown, schema: JsonObject): Rule | null {
  if (!isJsonObject(dependents)) return null
  const lists = Object.entries(dependents).filter(([, names]) => isTextList(names))
  return (visit) => {
    const { value } = visit
    if (!isJsonObject(value)) return true
    return lists
      .filter(([name]) => hasMember(value, name))
      .map(([, names]) => !isTextList(names) || hasAll(visit, value, names, schema))
      .every(Boolean)
  }
}

/** Creates the rule of a keyword that limits a number or a size. `measure` returns `null` for other types. */
function createSize(
  bound: WrongSize['bound'],
  unit: WrongSize['unit'],
  measure: (value: unknown, limit: number, budget: Budget) => number | null,
): CreateRule {
  return (limit, _, { budget }) => {
    if (typeof limit !== 'number') return null
    return (visit) => {
      const size = measure(visit.value, limit, budget)
      return (
        size === null ||
        comparisons[bound](size, limit) ||
        visit.fail((path) => ({ kind: 'size', path, bound, unit, limit }))
      )
    }
  }
}

const comparisons: Readonly<Record<WrongSize['bound'], (size: number, limit: number) => boolean>> =
  {
    'at least': (size, limit) => size >= limit,
    'at most': (size, limit) => size <= limit,
    'more than': (size, limit) => size > limit,
    'less than': (size, limit) => size < limit,
    exactly: (size, limit) => size === limit,
  }

function readNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function countNames(value: unknown, _limit: number, budget: Budget): number | null {
  return isJsonObject(value) ? namesOf(value, budget).length : null
}

function countItems(value: unknown): number | null {
  return Array.isArray(value) ? value.length : null
}

/** Counts code points, of which a text has at most as many as UTF-16 units and at least half of that. */
function countCharacters(value: unknown, limit: number, budget: Budget): number | null {
  if (typeof value !== 'string') return null
  if (value.length < limit || value.length > limit * 2) return value.length
  budget.spendOnText(value)
  return Array.from(value).length
}

/** Compares the numbers as they are written: 0.7 is a multiple of 0.1, although 0.7 % 0.1 is not 0. */
function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  const [digits, exponent] = toDecimal(value)
  const [divisorDigits, divisorExponent] = toDecimal(divisor)
  const least = Math.min(exponent, divisorExponent)
  const scaled = digits * 10n ** BigInt(exponent - least)
  return scaled % (divisorDigits * 10n ** BigInt(divisorExponent - least)) === 0n
}

/** Returns a finite number as digits and a power of ten. */
function toDecimal(value: number): readonly [bigint, number] {
  const [mantissa = '', exponent] = value.toExponential().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
