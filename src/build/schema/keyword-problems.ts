import { type JsonObject, isJsonObject, isTextList } from '../../protocol/json.ts'
import { type Dialect, isSubschema, schemaKeywords } from '../../schema/json-schema/keywords.ts'
import { longestMatched, powerOf } from '../../schema/json-schema/pattern-guard.ts'
import { excerpt } from '../../util/excerpt.ts'
import { isCatastrophic } from './pattern-safety.ts'
import { walkSchema } from './walk-schema.ts'

export function findKeywordProblems(schema: JsonObject, dialect: Dialect): readonly string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const [expected, isValid] = ruleOf(keyword, dialect) ?? ['', () => true]
    if (!isValid(value)) return [`"${keyword}" must be ${expected}.`]
    if (keyword === 'pattern') return findPatternProblems([String(value)])
    return keyword === 'patternProperties' ? findPatternProblems(Object.keys(Object(value))) : []
  })
}

type Test = (value: unknown) => boolean
type Rule = readonly [expected: string, isValid: Test]

const typeNames: readonly unknown[] = 'string number integer boolean object array null'.split(' ')

const rules: ReadonlyMap<string, Rule> = new Map([
  ...toRules('text', isText, '$id $ref $anchor $schema $comment title description format pattern'),
  ...toRules('text', isText, '$dynamicRef $dynamicAnchor'),
  ...toRules('a whole number from 0', isCount, 'minLength maxLength minItems maxItems'),
  ...toRules(
    'a whole number from 0',
    isCount,
    'minContains maxContains minProperties maxProperties',
  ),
  ...toRules('a number', Number.isFinite, 'minimum maximum exclusiveMinimum exclusiveMaximum'),
  ...toRules('a number above 0', isAboveZero, 'multipleOf'),
  ...toRules('true or false', (value) => typeof value === 'boolean', 'uniqueItems'),
  ...toRules(`one of ${typeNames.join(', ')}, or a list of them`, isType, 'type'),
  ...toRules('a list of names', isTextList, 'required'),
  ...toRules('a list of values', isFilled, 'enum'),
  ...toRules('an object of lists of names', isMapOf(isTextList), 'dependentRequired'),
])

const schemaRules = {
  one: ['a schema', isSubschema],
  list: ['a list of schemas', isSchemas],
  map: ['an object of schemas', isMapOf(isSubschema)],
} as const

function ruleOf(keyword: string, dialect: Dialect): Rule | undefined {
  if (keyword === 'items' && dialect === '7') {
    return ['a schema or a list of schemas', (value) => isSubschema(value) || isSchemas(value)]
  }
  if (keyword === 'dependencies') {
    return [
      'an object of schemas or lists of names',
      isMapOf((of) => isSubschema(of) || isTextList(of)),
    ]
  }
  const kind = schemaKeywords.get(keyword)
  return kind === undefined ? rules.get(keyword) : schemaRules[kind]
}

function toRules(
  expected: string,
  isValid: Test,
  keywords: string,
): readonly (readonly [string, Rule])[] {
  return keywords.split(' ').map((keyword) => [keyword, [expected, isValid]])
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

function isSchemas(value: unknown): boolean {
  return isFilled(value) && value.every(isSubschema)
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}

function isMapOf(isValid: Test): Test {
  return (value) => isJsonObject(value) && Object.values(value).every(isValid)
}

/**
 * Finds patterns that match at most 500 characters at run time, where no `maxLength` says so to clients.
 * Those of a `format`, such as an email address, are always shorter.
 */
export function findBoundedPatterns(schema: JsonObject): readonly string[] {
  return Array.from(walkSchema(schema)).flatMap(
    ({ schema: { pattern, maxLength, format }, pointer }) => {
      const isSaid = typeof maxLength === 'number' && maxLength <= longestMatched
      if (typeof pattern !== 'string' || isSaid || format !== undefined) return []
      return powerOf(pattern) > 1 ? [`${pointer} (${excerpt(pattern)})`] : []
    },
  )
}

/** Finds regular expressions that the engine refuses, or that could take seconds to match. */
function findPatternProblems(sources: readonly string[]): readonly string[] {
  return sources.flatMap((source) => {
    try {
      // JSON Schema matches its patterns with the flag `u`
      RegExp(source, 'u')
    } catch (error) {
      return [`The pattern ${source} is not valid: ${String(error)}.`]
    }
    if (!isCatastrophic(source)) return []
    return [
      `The pattern ${source} repeats parts that can match the same text in several ways, so that a ` +
        'hostile text takes seconds or longer to match. Repeat only one part, put a separator between ' +
        'two, or start with ^.',
    ]
  })
}
