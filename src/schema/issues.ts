import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { excerpt } from '../util/excerpt.ts'
import {
  type Mismatch,
  type Path,
  type Problem,
  type WrongSize,
  formatPhrase,
  toAllowedValues,
  typePhrase,
  valuePhrase,
} from './problem.ts'

/**
 * Reads the issues of a Standard Schema. Messages of the author, a locale or another validator
 * stay. Zod's stock messages are replaced, using the details of the issue.
 */
export function* readIssues(issues: readonly unknown[], base: Path = []): Generator<Problem> {
  for (const issue of issues) {
    if (!isJsonObject(issue)) continue
    const path = [...base, ...readPath(issue['path'])]
    const message = typeof issue['message'] === 'string' ? issue['message'] : ''
    if (isStock(issue, message)) yield* readZodIssue(issue, path)
    else yield { kind: 'message', path, message: message || 'is not valid' }
  }
}

// more than a body can nest: a path that goes on leads to nothing that a client sent
const maxSteps = 100

function readPath(path: unknown): Path {
  if (!Array.isArray(path)) return []
  return path.slice(0, maxSteps).map((step: unknown) => {
    const key = isJsonObject(step) ? step['key'] : step
    return typeof key === 'number' ? key : String(key)
  })
}

// zod's own English, and the bare "Invalid input" of zod/mini, which has no messages
const stock =
  /^(Invalid input$|(Invalid (input|option|string|number|date)|Too (small|big)|Unrecognized keys?):|Invalid discriminator value\.|Invalid (key|value) in |No matching discriminator)/

function isStock(issue: JsonObject, message: string): boolean {
  if (stock.test(message)) return true
  const isFormat = issue['code'] === 'invalid_format' && issue['format'] !== 'regex'
  return isFormat && message.startsWith('Invalid ')
}

/** Reads the details of a zod issue by structure, since no standard describes them. */
function readZodIssue(issue: JsonObject, path: Path): Iterable<Problem> {
  switch (issue['code']) {
    case 'invalid_type':
      return [readType(String(issue['expected']), path)]
    case 'invalid_value':
      return [{ kind: 'mismatch', path, ...readValues(issue['values']), by: 'literal' }]
    case 'unrecognized_keys':
      return readUnknownKeys(toList(issue['keys']), path)
    case 'too_small':
      return [readSize(issue, path, issue['minimum'], 'at least', 'more than')]
    case 'too_big':
      return [readSize(issue, path, issue['maximum'], 'at most', 'less than')]
    case 'not_multiple_of':
      return [toFormat(path, `a multiple of ${valuePhrase(issue['divisor'])}`)]
    case 'invalid_format':
      return [toFormat(path, readFormat(issue))]
    case 'invalid_union':
      return [readUnion(issue, path)]
    case 'invalid_key':
      return [{ kind: 'message', path, message: 'is not an allowed name' }]
    default:
      return [{ kind: 'message', path, message: 'is not valid' }]
  }
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
    return { kind: 'message', path, message: 'is out of range' }
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
  return isPattern ? `text that matches ${excerpt(String(pattern))}` : formatPhrase(String(format))
}

function readUnion(issue: JsonObject, path: Path): Problem {
  const allowed = readValues(issue['options'])
  if (allowed.expected.length > 0) return { kind: 'mismatch', path, ...allowed, by: 'literal' }
  const errors = toList(issue['errors'])
  if (errors.length === 0) {
    return { kind: 'message', path, message: 'fits several forms of which only one is allowed' }
  }
  return { kind: 'union', path, options: readOptions(errors, path) }
}

function* readOptions(options: readonly unknown[], path: Path): Generator<Iterable<Problem>> {
  for (const issues of options) yield readIssues(toList(issues), path)
}

function* readUnknownKeys(keys: readonly unknown[], path: Path): Generator<Problem> {
  for (const key of keys) yield { kind: 'unexpected', path: [...path, String(key)] }
}

function toFormat(path: Path, expected: string): Problem {
  return { kind: 'mismatch', path, expected: [expected], by: 'format' }
}

function readValues(values: unknown): Pick<Mismatch, 'expected' | 'others'> {
  return toAllowedValues(toList(values), valuePhrase)
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
