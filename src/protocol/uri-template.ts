import { normalizeEscapes } from './uri.ts'

export interface UriTemplate {
  readonly parts: readonly TemplatePart[]
  /** Two templates with the same pattern match the same URIs. */
  readonly pattern: RegExp
  /** The variables in the order of the pattern's groups. */
  readonly variables: readonly Variable[]
  /** The variables of the query, which is the last group. */
  readonly query: readonly string[]
  /** Whether no variable takes a value from the host. */
  readonly hasFixedHost: boolean
  /** The number of characters outside of expressions: the more, the more specific the template. */
  readonly literals: number
}

interface Variable {
  readonly name: string
  /** It is after a `?` or `#`, where a slash is a character like any other. */
  readonly isAfterPath: boolean
}

/** The values of a template's variables, in an object without prototype. */
export type UriValues = Readonly<Record<string, string>>

const none: ReadonlyMap<string, string> = new Map()

/** The characters of a value that RFC 6570 does not escape, and an escape's `%`. */
const unreserved = String.raw`\w.~%\-`
/** The other characters of a segment: many clients write them into values without escaping them. */
const reserved = "!'()*:@$&+,;="
const rest = String.raw`([\w.~!'()*%:/@$&+,;=[\]-]+)`

/** Of these characters one must stand between two variables, and then no value has it unescaped. */
export const delimiter: RegExp = /[:/?#[\]@$&+,;=]/

/**
 * Compiles a URI template of RFC 6570, to match URIs in normal form:
 *
 * - `{var}` is one or more characters of one path segment: never a `/`;
 * - `{+var}` is a path of any number of segments, up to a `?` or `#`;
 * - `{/a,b}` at the end are further segments, which may be missing, the last ones first;
 * - `{?a,b}` at the end are query parameters in any order, which may be missing or empty.
 *
 * A value may have every character that is legal in its place, escaped or not, except for the delimiter
 * between two variables. Text in place of the host matches in any case (RFC 3986, 6.2.2.1).
 *
 * The build refuses other expressions, and variables without a delimiter between them. So a URI matches
 * in one way at most, in a time that is linear in its length.
 */
export function readTemplate(template: string): UriTemplate {
  const parts = readTemplateParts(template).map(normalizePart)
  const host = findHostEnd(toText(parts))
  const starts = parts.map((_, index) => toText(parts.slice(0, index)))
  const isAfterPath = starts.map((start) => /[?#]/.test(start.replaceAll(/\{[^{}]*\}/g, '')))
  const sources = parts.map((part, index) =>
    part.kind === 'text'
      ? toTextSource(part.text, host - (starts[index]?.length ?? 0))
      : toExpressionSource(part, toValueSource(parts, index, isAfterPath[index] === true)),
  )
  return {
    parts,
    pattern: new RegExp(`^${sources.join('')}$`),
    variables: parts.flatMap(({ kind, names }, index) =>
      kind === 'query'
        ? []
        : names.map((name) => ({ name, isAfterPath: isAfterPath[index] === true })),
    ),
    query: parts.flatMap(({ kind, names }) => (kind === 'query' ? names : [])),
    hasFixedHost: /^[^:{]*:\/\/[^/?#{]*(?:[/?#]|\{[/?]|$)/.test(toText(parts)),
    literals: toText(parts.filter(({ kind }) => kind === 'text')).length,
  }
}

function normalizePart(part: TemplatePart): TemplatePart {
  return part.kind === 'text' ? { ...part, text: normalizeEscapes(part.text) } : part
}

function toText(parts: readonly TemplatePart[]): string {
  return parts.map(({ text }) => text).join('')
}

/** Returns where the host ends; 0 for a template without one. */
function findHostEnd(template: string): number {
  const [start = ''] = /^[^:{]*:\/\/(?:\{\w+\}|[^/?#{])*/.exec(template) ?? []
  return start.length
}

function toTextSource(text: string, host: number): string {
  const source = Array.from(text, (character, index) => {
    if (/\d|_|\//.test(character)) return character
    if (!/[a-z]/i.test(character)) return `\\${character}`
    return index < host ? `[${character.toLowerCase()}${character.toUpperCase()}]` : character
  })
  return source.join('')
}

/** Returns the pattern of one value of the expression at an index. */
function toValueSource(
  parts: readonly TemplatePart[],
  index: number,
  isAfterPath: boolean,
): string {
  const extra = isAfterPath ? `${reserved}/?` : reserved
  const [before, after] = [findDelimiter(parts, index - 1), findDelimiter(parts, index + 1)]
  return `([${unreserved}${extra.replace(before, '').replace(after, '')}]+)`
}

/** Returns the delimiter in the text at an index; empty unless the text is between two variables. */
function findDelimiter(parts: readonly TemplatePart[], index: number): string {
  const [before, text, after] = [parts[index - 1], parts[index], parts[index + 1]]
  const isBetween = before?.kind === 'segment' && text?.kind === 'text' && after !== undefined
  const isVariable = after?.kind === 'segment' || after?.kind === 'rest'
  return isBetween && isVariable ? (delimiter.exec(text.text)?.[0] ?? '') : ''
}

function toExpressionSource(part: TemplatePart, value: string): string {
  switch (part.kind) {
    case 'segment':
      return value
    case 'rest':
      return rest
    case 'segments':
      return part.names.reduceRight((inner) => `(?:/${value}${inner})?`, '')
    case 'query':
      return String.raw`(?:\?([^#]+))?`
    case 'text':
    case 'unsupported':
      return ''
  }
}

/** Returns the decoded values of a URI in normal form, or `null` if it does not match the template. */
export function matchTemplate(template: UriTemplate, uri: string): UriValues | null {
  const groups = template.pattern.exec(uri)
  if (groups === null) return null
  const { variables } = template
  const query = groups[variables.length + 1]
  const parameters = query === undefined ? none : readUriQuery(query, template.query)
  if (parameters === null) return null

  const values: Record<string, string> = Object.create(null)
  const found = [
    ...variables.map(
      ({ name, isAfterPath }, index) => [name, groups[index + 1], isAfterPath] as const,
    ),
    ...Array.from(parameters, ([name, text]) => [name, text, true] as const),
  ]
  for (const [name, text, isAfterPath] of found) {
    // a missing segment of {/a,b}, or an empty parameter, which a form sends for a field left blank
    if (text === undefined || text === '') continue
    const value = readUriValue(text, isAfterPath)
    if (value === null) return null
    values[name] = value
  }
  return values
}

/**
 * Expands a template (RFC 6570). Of all URIs that match with the same values this is one, so it can
 * stand for all of them.
 */
export function expandTemplate({ parts }: Pick<UriTemplate, 'parts'>, values: UriValues): string {
  const encode = (name: string): string => encodeURIComponent(values[name] ?? '')
  return parts
    .map(({ kind, text, names }) => {
      const given = names.filter((name) => values[name] !== undefined)
      switch (kind) {
        case 'segment':
          return given.map(encode).join('')
        case 'rest':
          return given.map(encode).join('').replaceAll('%2F', '/')
        case 'segments':
          return given.map((name) => `/${encode(name)}`).join('')
        case 'query':
          return given.map((name, at) => `${at === 0 ? '?' : '&'}${name}=${encode(name)}`).join('')
        default:
          return text
      }
    })
    .join('')
}

/** A part of a URI template: literal text, or an expression in braces. */
export interface TemplatePart {
  /** Of an expression, what its operator means (RFC 6570, 3.2). */
  readonly kind: 'text' | 'segment' | 'rest' | 'segments' | 'query' | 'unsupported'
  readonly text: string
  readonly names: readonly string[]
}

const kinds: ReadonlyMap<string, TemplatePart['kind']> = new Map([
  ['', 'segment'],
  ['+', 'rest'],
  ['/', 'segments'],
  ['?', 'query'],
])

export function isTemplate(uri: string): boolean {
  return uri.includes('{')
}

/** Splits a template into its parts, without a check of their order. */
export function readTemplateParts(template: string): readonly TemplatePart[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((text) => text !== '')
    .map((text) =>
      /^\{.*\}$/s.test(text) ? readExpression(text) : { kind: 'text', text, names: [] },
    )
}

function readExpression(text: string): TemplatePart {
  const [, operator = '', list = ''] = /^\{([^\w%]?)(.*)\}$/s.exec(text) ?? []
  return { kind: kinds.get(operator) ?? 'unsupported', text, names: list.split(',') }
}

/**
 * Decodes the value of one variable, or returns `null` for a value that could leave its place in a
 * path: with an escape that is not well-formed UTF-8, a backslash, a control character, a segment of `.`
 * or `..`, and, in the path of the URI, an encoded slash or a slash at its start.
 *
 * Such a value is refused rather than cleaned. Authors put values into file paths, keys and URLs, where
 * a second decoding must not lead out of a folder (server/resources, "Security Considerations").
 */
function readUriValue(text: string, isAfterPath: boolean): string | null {
  if (!isAfterPath && /^\/|%2f/i.test(text)) return null
  const value = decode(text)
  if (value === null || /[\p{Cc}\\]/u.test(value)) return null
  return value.split('/').some((segment) => segment === '.' || segment === '..') ? null : value
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * Returns the encoded parameters of a query by name, or `null` if `{?a,b}` does not expand to the query:
 * it has a name that is not in `names`, a name twice, or a name without `=`.
 */
function readUriQuery(query: string, names: readonly string[]): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>()
  for (const parameter of query.split('&')) {
    const [, name, value] = /^(\w+)=([\w.~%!'()*:@$+,;=/?-]*)$/.exec(parameter) ?? []
    if (name === undefined || value === undefined) return null
    if (!names.includes(name) || found.has(name)) return null
    found.set(name, value)
  }
  return found
}
