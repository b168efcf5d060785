import type { JsonObject } from '../protocol/json.ts'
import type { Path, Problem, WrongSize } from './problem.ts'
import { formatPhrase, typePhrase, valuePhrase } from './sentences.ts'

type ReadIssues = (issues: readonly unknown[], base: Path) => Iterable<Problem>

// zod's own English, and the bare "Invalid input" of zod/mini, which ships no messages
const stock =
  /^(Invalid input$|(Invalid (input|option|string|number|date)|Too (small|big)|Unrecognized keys?):|Invalid discriminator value\.|Invalid (key|value) in |No matching discriminator)/

/**
 * Reads what a zod issue carries beside its message, by structure since no standard promises it.
 * `null` for an issue that is not zod's, or whose message somebody wrote with care.
 */
export function readZodIssue(
  issue: JsonObject,
  message: string,
  path: Path,
  readIssues: ReadIssues,
): readonly Problem[] | null {
  const isStock = stock.test(message) || isStockFormat(issue, message)
  if (!isStock) return null
  switch (issue['code']) {
    case 'invalid_type':
      return [readType(String(issue['expected']), path)]
    case 'invalid_value':
      return [{ kind: 'mismatch', path, expected: toValues(issue['values']), by: 'literal' }]
    case 'unrecognized_keys':
      return toList(issue['keys']).map((key) => ({
        kind: 'unexpected',
        path: [...path, String(key)],
      }))
    case 'too_small':
      return [readSize(issue, path, issue['minimum'], 'at least', 'more than')]
    case 'too_big':
      return [readSize(issue, path, issue['maximum'], 'at most', 'less than')]
    case 'not_multiple_of':
      return [toForm(path, `a multiple of ${valuePhrase(issue['divisor'])}`)]
    case 'invalid_format':
      return [toForm(path, readFormat(issue))]
    case 'invalid_union':
      return [readUnion(issue, path, readIssues)]
    case 'invalid_key':
      return [{ kind: 'said', path, message: 'is not an allowed name' }]
    default:
      return [{ kind: 'said', path, message: 'is not valid' }]
  }
}

function isStockFormat(issue: JsonObject, message: string): boolean {
  return (
    issue['code'] === 'invalid_format' &&
    issue['format'] !== 'regex' &&
    message.startsWith('Invalid ')
  )
}

function readType(expected: string, path: Path): Problem {
  if (expected === 'never') return { kind: 'unexpected', path }
  const phrases = expected === 'nonoptional' ? [] : [typePhrase(expected)]
  return { kind: 'mismatch', path, expected: phrases, by: 'type' }
}

function readSize(
  issue: JsonObject,
  path: Path,
  limit: unknown,
  inclusive: 'at least' | 'at most',
  exclusive: 'more than' | 'less than',
): Problem {
  if (typeof limit !== 'number' && typeof limit !== 'bigint') {
    return { kind: 'said', path, message: 'is out of range' }
  }
  const bound = issue['inclusive'] === false ? exclusive : inclusive
  const unit = readUnit(issue['origin'])
  return { kind: 'size', path, bound: issue['exact'] === true ? 'exactly' : bound, limit, unit }
}

function readUnit(origin: unknown): WrongSize['unit'] {
  if (origin === 'string') return 'character'
  if (origin === 'array' || origin === 'tuple') return 'item'
  return origin === 'object' || origin === 'record' ? 'field' : null
}

function readFormat(issue: JsonObject): string {
  const { format, prefix, suffix, includes, pattern } = issue
  if (typeof prefix === 'string') return `text that starts with ${JSON.stringify(prefix)}`
  if (typeof suffix === 'string') return `text that ends with ${JSON.stringify(suffix)}`
  if (typeof includes === 'string') return `text that contains ${JSON.stringify(includes)}`
  const isPattern = format === 'regex' || format === 'template_literal'
  return isPattern ? `text that matches ${String(pattern)}` : formatPhrase(String(format))
}

function readUnion(issue: JsonObject, path: Path, readIssues: ReadIssues): Problem {
  const allowed = toValues(issue['options'])
  if (allowed.length > 0) return { kind: 'mismatch', path, expected: allowed, by: 'literal' }
  const options = toList(issue['errors']).map((errors) =>
    Array.from(readIssues(toList(errors), path)),
  )
  if (options.length > 0) return { kind: 'union', path, options }
  return { kind: 'said', path, message: 'fits several forms of which only one is allowed' }
}

function toForm(path: Path, expected: string): Problem {
  return { kind: 'mismatch', path, expected: [expected], by: 'form' }
}

function toValues(values: unknown): readonly string[] {
  return toList(values).map(valuePhrase)
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
