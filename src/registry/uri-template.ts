import { readUriQuery } from './uri-query.ts'
import { readTemplateParts, type TemplatePart } from './uri-template-parts.ts'
import { findTemplateProblems } from './uri-template-problems.ts'
import { readUriValue } from './uri-value.ts'

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
