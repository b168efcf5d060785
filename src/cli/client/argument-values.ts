import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { text as readStream } from 'node:stream/consumers'
import { closest } from 'fastest-levenshtein'
import { toErrorMessage } from '../../build/errors.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { UsageError } from '../command.ts'
import { toSafeLine } from './printable.ts'

interface GivenArguments {
  /** Each is `name=value`, or `name:=json`. */
  readonly arg?: readonly string[] | undefined
  /** A file with a JSON object, or `-` for standard input. */
  readonly input?: string | undefined
}

/**
 * Reads the arguments of a tool: those of `--input`, and above them those of `--arg`, converted by the schema.
 *
 * @throws {UsageError} for one that cannot be read.
 */
export async function readToolArguments(
  { arg = [], input }: GivenArguments,
  schema: JsonObject,
): Promise<JsonObject> {
  const base = input === undefined ? {} : await readInput(input)
  const values = new Map<string, unknown>(Object.entries(base))
  const given = new Set<string>()
  for (const one of arg) {
    const { name, text, isJson } = readPair(one, '--arg')
    const property = findProperty(schema, name)
    const value = isJson ? readJsonText(text, name) : convertText(property, text, name)
    // a list is given item by item
    const list = given.has(name) && Array.isArray(value) ? values.get(name) : undefined
    if (given.has(name) && !Array.isArray(list)) {
      throw new UsageError(`\`${name}\` is given twice, and is not a list. Leave one out.`)
    }
    values.set(name, Array.isArray(list) && Array.isArray(value) ? [...list, ...value] : value)
    given.add(name)
  }
  return Object.fromEntries(values)
}

/** Splits `name=value` and `name:=json`. */
export function readPair(
  given: string,
  option: string,
): { readonly name: string; readonly text: string; readonly isJson: boolean } {
  const [, name = '', separator, text = ''] = /^(.+?)(:?=)(.*)$/s.exec(given) ?? []
  if (separator !== undefined) return { name, text, isJson: separator === ':=' }
  throw new UsageError(
    `${option} ${JSON.stringify(given)} has no value. Write it as name=value, or name:=json.`,
  )
}

export function readJsonText(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`\`${name}\` is not JSON: ${toErrorMessage(error)}`)
  }
}

async function readInput(file: string): Promise<JsonObject> {
  const text = await (file === '-' ? readStream(process.stdin) : readFile(file, 'utf8')).catch(
    (error: unknown) => {
      throw new UsageError(`--input cannot be read: ${toErrorMessage(error)}`)
    },
  )
  const value = readJsonText(text, '--input')
  if (isJsonObject(value)) return value
  throw new UsageError('--input must be a JSON object with the arguments of the tool.')
}

function findProperty(schema: JsonObject, name: string): unknown {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  if (Object.hasOwn(properties, name)) return properties[name]
  if (isOpen(schema)) return {}
  const names = Object.keys(properties)
  const hint =
    names.length === 0
      ? 'It has none.'
      : `The closest one is \`${toSafeLine(closest(name, names))}\`. \`helve list\` shows all.`
  throw new UsageError(`The tool has no argument \`${name}\`. ${hint}`)
}

/** Whether a tool may have arguments that its `properties` do not name. A wrong name would be lost silently. */
function isOpen({ additionalProperties: more = false, ...others }: JsonObject): boolean {
  const keywords = [
    '$ref',
    'allOf',
    'anyOf',
    'oneOf',
    'if',
    'patternProperties',
    'dependentSchemas',
  ]
  return more !== false || keywords.some((keyword) => Object.hasOwn(others, keyword))
}

/**
 * Converts a text to the type that a schema wants. A text that fits none stays a text, and the server says what
 * is wrong with it.
 *
 * @throws {UsageError} if the only type is another one.
 */
export function convertText(schema: unknown, text: string, name: string): unknown {
  const types = findTypes(schema, 0)
  const failure = (wanted: string): UsageError =>
    new UsageError(`\`${name}\` is ${JSON.stringify(text)}, and must be ${wanted}.`)
  const only = types.size === 1
  const isNumeric = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim())
  if (types.has('string') && only) return text
  if (types.has('integer') || types.has('number')) {
    if (isNumeric) return Number(text)
    if (only) throw failure(types.has('integer') ? 'a whole number' : 'a number')
  }
  if (types.has('boolean')) {
    if (text === 'true' || text === 'false') return text === 'true'
    if (only) throw failure('true or false')
  }
  if (types.has('null') && text === 'null') return null
  if (types.has('array')) {
    if (text.trimStart().startsWith('[')) return readJsonText(text, name)
    return [convertText(isJsonObject(schema) ? schema['items'] : {}, text, name)]
  }
  if (types.has('object')) {
    if (text.trimStart().startsWith('{')) return readJsonText(text, name)
    if (only) throw failure(`a JSON object, such as ${name}:='{"key": 1}'`)
  }
  return text
}

/** The types that a value may have, as far as the keywords of the schema itself say. */
function findTypes(schema: unknown, depth: number): ReadonlySet<unknown> {
  if (!isJsonObject(schema) || depth > 4) return new Set()
  const { type, enum: values, const: constant, anyOf, oneOf } = schema
  if (type !== undefined) return new Set(Array.isArray(type) ? type : [type])
  const literals: readonly unknown[] = constant === undefined ? asList(values) : [constant]
  const inner = [...asList(anyOf), ...asList(oneOf)].flatMap((each) => [
    ...findTypes(each, depth + 1),
  ])
  return new Set([...literals.map(typeOf), ...inner])
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Names the type of a schema for people, such as `list of integer` or `"S" | "M"`. */
export function toTypeText(schema: unknown): string {
  if (!isJsonObject(schema)) return 'any value'
  const { enum: values, items } = schema
  if (Array.isArray(values)) {
    return toSafeLine(values.map((value) => JSON.stringify(value)).join(' | '), 60)
  }
  const types = [...findTypes(schema, 0)].map((type) =>
    type === 'array' && isJsonObject(items) ? `list of ${toTypeText(items)}` : String(type),
  )
  return types.length === 0 ? 'any value' : toSafeLine(types.join(' or '))
}
