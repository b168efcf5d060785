import { isJsonObject, type JsonObject } from '../wire/json.ts'
import type { Dialect } from './dialect.ts'
import { isSubschema, schemaKeywords } from './keywords.ts'
import { findPatternProblems } from './patterns.ts'

type Fits = (value: unknown) => boolean
type Shape = readonly [wanted: string, fits: Fits]

const typeNames: readonly unknown[] = 'string number integer boolean object array null'.split(' ')

const shapes: ReadonlyMap<string, Shape> = new Map([
  ...shape('text', isText, '$id $ref $anchor $schema $comment title description format pattern'),
  ...shape('a whole number from 0', isCount, 'minLength maxLength minItems maxItems'),
  ...shape('a whole number from 0', isCount, 'minContains maxContains minProperties maxProperties'),
  ...shape('a number', Number.isFinite, 'minimum maximum exclusiveMinimum exclusiveMaximum'),
  ...shape('a number above 0', isAboveZero, 'multipleOf'),
  ...shape('true or false', (value) => typeof value === 'boolean', 'uniqueItems'),
  ...shape(`one of ${typeNames.join(', ')}, or a list of them`, isType, 'type'),
  ...shape('a list of names', isNames, 'required'),
  ...shape('a list of values', isFilled, 'enum'),
  ...shape('an object of lists of names', isMapOf(isNames), 'dependentRequired'),
])

const holders = {
  one: ['a schema', isSubschema],
  list: ['a list of schemas', isSchemas],
  map: ['an object of schemas', isMapOf(isSubschema)],
} as const

/** Finds the keywords of one subschema whose values its dialect does not allow. */
export function findShapeProblems(schema: JsonObject, dialect: Dialect): readonly string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const [wanted, fits] = shapeOf(keyword, dialect) ?? ['', () => true]
    if (!fits(value)) return [`"${keyword}" must be ${wanted}.`]
    if (keyword === 'pattern') return findPatternProblems([String(value)])
    return keyword === 'patternProperties' ? findPatternProblems(Object.keys(Object(value))) : []
  })
}

function shapeOf(keyword: string, dialect: Dialect): Shape | undefined {
  if (keyword === 'items' && dialect === '7') {
    return ['a schema or a list of schemas', (value) => isSubschema(value) || isSchemas(value)]
  }
  if (keyword === 'dependencies') {
    return [
      'an object of schemas or lists of names',
      isMapOf((of) => isSubschema(of) || isNames(of)),
    ]
  }
  const kind = schemaKeywords.get(keyword)
  return kind === undefined ? shapes.get(keyword) : holders[kind]
}

function shape(
  wanted: string,
  fits: Fits,
  keywords: string,
): readonly (readonly [string, Shape])[] {
  return keywords.split(' ').map((keyword) => [keyword, [wanted, fits]])
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

function isAboveZero(value: unknown): boolean {
  return Number.isFinite(value) && Number(value) > 0
}

function isType(value: unknown): boolean {
  return isFilled(value) ? value.every((one) => typeNames.includes(one)) : typeNames.includes(value)
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
}

function isSchemas(value: unknown): boolean {
  return isFilled(value) && value.every(isSubschema)
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}

function isMapOf(fits: Fits): Fits {
  return (value) => isJsonObject(value) && Object.values(value).every(fits)
}
