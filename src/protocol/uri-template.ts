import { findTemplateProblems } from './uri-template-problems.ts'

/** A URI template that can be matched. */
export interface UriTemplate {
  /** Two templates whose patterns are the same match the same URIs. */
  readonly pattern: RegExp
  /** The variables in the order of the pattern's groups. */
  readonly names: readonly string[]
  /** The variables of the query, which is the last group. */
  readonly query: readonly string[]
  /** The characters outside of expressions: the more there are, the more the template says. */
  readonly literals: number
}

/** The values of a template's variables, in an object without prototype. */
export type UriValues = Readonly<Record<string, string>>

const none: ReadonlyMap<string, string> = new Map()

/** Characters of a URI beyond which no template is tried. */
const longestUri = 8_192

// what `encodeURIComponent` leaves as it is, and escapes: it is what clients expand templates with
const segment = `([\\w.~!'()*%-]+)`
const rest = `([\\w.~!'()*%:/@$&+,;=[\\]-]+)`

/**
 * Reads a URI template of RFC 6570, to match URIs and not to make them:
 *
 * - `{var}` is one or more characters of one path segment: never a `/`;
 * - `{+var}` is a path of any number of segments, up to a `?` or `#`;
 * - `{/a,b}` at the end are further segments, which may be missing, the last ones first;
 * - `{?a,b}` at the end are query parameters in any order, which may be missing.
 *
 * Two variables have text between them that ends the first for certain. So a URI can be taken apart
 * in one way at most, and in a time that grows with its length alone.
 *
 * @throws {TypeError} when {@link findTemplateProblems} has something to say.
 */
export function readTemplate(template: string): UriTemplate {
  const problems = findTemplateProblems(template)
  if (problems.length > 0) throw new TypeError(`${template}: ${problems.join(' ')}`)
  const parts = readTemplateParts(template)
  const texts = parts.filter(({ kind }) => kind === 'text').map(({ text }) => text)
  const path = parts.filter(({ kind }) => kind !== 'query')
  const query = parts.filter(({ kind }) => kind === 'query')
  return {
    pattern: new RegExp(`^${parts.map(toSource).join('')}$`),
    names: path.flatMap(({ names }) => names),
    query: query.flatMap(({ names }) => names),
    literals: texts.join('').length,
  }
}

/**
 * The values that a URI gives to a template's variables, each decoded once, or `null` where it does
 * not match. Text is compared exactly, scheme and host too: to MCP a URI is a name, and a resource
 * that answers to two of them would be cached and watched as two (RFC 3986, 6.2.1).
 */
export function matchTemplate(template: UriTemplate, uri: string): UriValues | null {
  const groups = uri.length > longestUri ? null : template.pattern.exec(uri)
  if (groups === null) return null
  const query = groups[template.names.length + 1]
  const parameters = query === undefined ? none : readUriQuery(query, template.query)
  if (parameters === null) return null

  const values: Record<string, string> = Object.create(null)
  const found = template.names.map((name, index) => [name, groups[index + 1]] as const)
  for (const [name, text] of [...found, ...parameters]) {
    // a segment of {/a,b} that is not there
    if (text === undefined) continue
    const value = readUriValue(text)
    if (value === null) return null
    values[name] = value
  }
  return values
}

function toSource(part: TemplatePart): string {
  switch (part.kind) {
    case 'text':
      return part.text.replaceAll(/[^\w/]/g, String.raw`\$&`)
    case 'segment':
      return segment
    case 'rest':
      return rest
    case 'segments':
      return part.names.reduceRight((inner) => `(?:/${segment}${inner})?`, '')
    case 'query':
      return String.raw`(?:\?([^#]+))?`
    case 'unsupported':
      return ''
  }
}

/** A piece of a URI template: text that stands for itself, or an expression in braces. */
export interface TemplatePart {
  /** For an expression what it does, by its operator (RFC 6570, 3.2). */
  readonly kind: 'text' | 'segment' | 'rest' | 'segments' | 'query' | 'unsupported'
  /** As it stands in the template. */
  readonly text: string
  /** The variables of an expression. */
  readonly names: readonly string[]
}

const kinds: ReadonlyMap<string, TemplatePart['kind']> = new Map([
  ['', 'segment'],
  ['+', 'rest'],
  ['/', 'segments'],
  ['?', 'query'],
])

/** Tells a URI template from a URI: braces are no characters of a URI. */
export function isTemplate(uri: string): boolean {
  return uri.includes('{')
}

/** Takes a template apart. Whether the pieces make sense together is not looked at here. */
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
 * The value of one variable in a URI, decoded once, or `null` where it could be mistaken for more
 * than a value: with an escape that is not well-formed UTF-8, an encoded slash, a backslash, a
 * control character, a segment of `.` or `..`, or a slash in front.
 *
 * Such a value is refused rather than cleaned. Authors put values into file paths, keys and URLs, and
 * whatever is decoded a second time further on must not climb out of its folder there
 * (server/resources, "Security Considerations").
 */
function readUriValue(text: string): string | null {
  if (/%2f/i.test(text)) return null
  const value = decode(text)
  if (value === null || /[\p{Cc}\\]/u.test(value) || value.startsWith('/')) return null
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
 * The parameters of a query by name, still encoded, or `null` where the query is not one that
 * `{?a,b}` makes: a name that is not among `names`, one that comes twice, or one without `=`.
 */
function readUriQuery(query: string, names: readonly string[]): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>()
  for (const parameter of query.split('&')) {
    const [, name, value] = /^(\w+)=([\w.~%!'()*-]*)$/.exec(parameter) ?? []
    if (name === undefined || value === undefined) return null
    if (!names.includes(name) || found.has(name)) return null
    found.set(name, value)
  }
  return found
}
