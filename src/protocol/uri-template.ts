export interface UriTemplate {
  /** Two templates with the same pattern match the same URIs. */
  readonly pattern: RegExp
  /** The variables in the order of the pattern's groups. */
  readonly names: readonly string[]
  /** The variables of the query, which is the last group. */
  readonly query: readonly string[]
  /** The number of characters outside of expressions: the more, the more specific the template. */
  readonly literals: number
}

/** The values of a template's variables, in an object without prototype. */
export type UriValues = Readonly<Record<string, string>>

const none: ReadonlyMap<string, string> = new Map()

/** Longer URIs are not matched. */
const longestUri = 8_192

// the characters and escapes that `encodeURIComponent` returns, with which clients expand templates
const segment = `([\\w.~!'()*%-]+)`
const rest = `([\\w.~!'()*%:/@$&+,;=[\\]-]+)`

/**
 * Compiles a URI template of RFC 6570, to match URIs and not to expand them:
 *
 * - `{var}` is one or more characters of one path segment: never a `/`;
 * - `{+var}` is a path of any number of segments, up to a `?` or `#`;
 * - `{/a,b}` at the end are further segments, which may be missing, the last ones first;
 * - `{?a,b}` at the end are query parameters in any order, which may be missing.
 *
 * The build refuses other expressions, and variables without a text between them that always ends the
 * first. So a URI matches in one way at most, in a time that is linear in its length.
 */
export function readTemplate(template: string): UriTemplate {
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
 * Returns the values of a template's variables in a URI, each decoded once, or `null` if the URI does
 * not match. Text is compared exactly, scheme and host too: in MCP a URI is a name, and a resource with
 * two names would be cached and subscribed to as two (RFC 3986, 6.2.1).
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
    // a missing segment of {/a,b}
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
 * path: with an escape that is not well-formed UTF-8, an encoded slash, a backslash, a control
 * character, a segment of `.` or `..`, or a slash at its start.
 *
 * Such a value is refused rather than cleaned. Authors put values into file paths, keys and URLs, where
 * a second decoding must not lead out of a folder (server/resources, "Security Considerations").
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
 * Returns the encoded parameters of a query by name, or `null` if `{?a,b}` does not expand to the query:
 * it has a name that is not in `names`, a name twice, or a name without `=`.
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
