import type { ResourceEntry } from '../define/registry.ts'
import {
  type TemplatePart,
  type UriTemplate,
  expandTemplate,
  matchTemplate,
  readTemplate,
} from '../protocol/uri-template.ts'
import { isVisibleToAll } from './visibility.ts'

type GuardedEntry = Pick<ResourceEntry, 'uri' | 'scopes' | 'conditional'>

/** A resource that not all callers may read, to compare other resources with it. */
export interface GuardedResource<Entry extends GuardedEntry = ResourceEntry> {
  readonly entry: Entry
  readonly template: UriTemplate
  readonly reading: LenientReading
}

export function toGuardedResources<Entry extends GuardedEntry>(
  entries: readonly Entry[],
): readonly GuardedResource<Entry>[] {
  return entries
    .filter((entry) => !isVisibleToAll(entry))
    .map((entry) => {
      const template = readTemplate(entry.uri)
      return { entry, template, reading: readTemplateLeniently(template) }
    })
}

/** Whether every caller of `entry` passes the scopes of `guarded` too. `visible` cannot be compared. */
export function isAsGuarded(entry: GuardedEntry, guarded: GuardedEntry): boolean {
  const has = new Set(entry.scopes)
  return !guarded.conditional && guarded.scopes.every((scope) => has.has(scope))
}

/** Whether a template matches what others expand to: `all` for every URI of `uri`, `some` for one. */
export function overlaps(uri: string, template: UriTemplate, how: 'all' | 'some'): boolean {
  const samples = toSamples(readTemplate(uri))
  const isMatched = (sample: string): boolean => matchTemplate(template, sample) !== null
  return how === 'all' ? samples.every(isMatched) : samples.some(isMatched)
}

// characters of the private use area, which stand for the values of a template
const one = '\uE000'
const many = '\uE001'

/** Paths of one segment, of two, and of more than a template without `{+var}` has. */
const paths = [1, 2, 32].map((length) => Array.from({ length }, () => one).join('/'))

/**
 * Expands a template with and without its optional variables, and with paths of different lengths. The
 * values are in no text of another template, which would match them by chance.
 */
function toSamples(template: UriTemplate): readonly string[] {
  const { parts } = template
  return paths.flatMap((path) =>
    [parts.filter(isRequired), parts].map((filled) => {
      const values = filled.flatMap(({ kind, names }) =>
        names.map((name) => [name, kind === 'rest' ? path : one] as const),
      )
      return expandTemplate(template, Object.fromEntries(values))
    }),
  )
}

function isRequired({ kind }: TemplatePart): boolean {
  return kind === 'segment' || kind === 'rest'
}

/**
 * A URI as the most lenient reader could understand it: an author may pass it to a file system, a
 * database or another server, each of which has its own rules of what is the same name.
 */
export interface LenientReading {
  readonly scheme: string
  readonly segments: readonly string[]
  /** How many more segments a template may have. */
  readonly optional: number
  /** What is after a `?` or `#`, in any order. A URI may have more parameters than its resource. */
  readonly parameters: readonly string[]
}

function readTemplateLeniently({ parts }: UriTemplate): LenientReading {
  const text = parts.map((part) => {
    if (part.kind === 'text') return part.text
    return part.kind === 'segment' ? one : part.kind === 'rest' ? many : ''
  })
  const optional = parts.flatMap(({ kind, names }) => (kind === 'segments' ? names : []))
  return { ...readLeniently(text.join('')), optional: optional.length }
}

/**
 * Reads a URI: decoded as often as it is encoded, without accents and differences of case and of Unicode
 * forms, with slashes for backslashes, and without user, port, empty segments, dot segments, white space,
 * characters that many readers ignore, and final dots.
 */
export function readLeniently(uri: string): LenientReading {
  const text = decodeAll(uri)
    .normalize('NFKD')
    .replaceAll(/[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    // in this order: the upper case of a sharp s has two letters
    .toUpperCase()
    .toLowerCase()
    .replaceAll('\\', '/')
  const [path = '', ...others] = text.split(/[?#]/)
  const end = path.indexOf(':')
  const found = path.slice(end + 1).split('/')
  if (path.startsWith('//', end + 1)) {
    found[2] = (found[2] ?? '').replace(/^.*@/, '').replace(/:\d*$/, '')
  }
  const segments: string[] = []
  for (const segment of found) {
    if (segment === '..') segments.pop()
    // some servers read what follows a semicolon as parameters of the segment
    const name = segment.replace(/;.*$/, '').replace(/\.+$/, '')
    if (name !== '') segments.push(name)
  }
  return { scheme: path.slice(0, end), segments, optional: 0, parameters: readParameters(others) }
}

function readParameters(texts: readonly string[]): readonly string[] {
  return texts
    .flatMap((text) => text.split('&'))
    .map((parameter) =>
      parameter
        .replaceAll('+', '')
        .replaceAll(/\/+/g, '/')
        .replace(/(^|=)\//, '$1')
        .replace(/[./]+$/, ''),
    )
    .filter((parameter) => parameter !== '')
}

function decodeAll(text: string): string {
  const once = text.replaceAll(/%(?:25)+/g, '%')
  try {
    return decodeURIComponent(once)
  } catch {
    return once.replaceAll(/%[0-7][\da-f]/gi, decodeURIComponent)
  }
}

/** Whether a lenient reader could take a URI, as it was read, for one of a guarded resource. */
export function isReadAs(
  { reading }: GuardedResource,
  { scheme, segments, parameters }: LenientReading,
): boolean {
  if (scheme !== reading.scheme) return false
  const { segments: expected, optional } = reading
  const hasParameters = reading.parameters.every((expected) =>
    parameters.some((parameter) => isExpansion(expected, parameter)),
  )
  if (!hasParameters) return false
  if (segments.length < expected.length) return false
  const path = expected.findIndex((segment) => segment.includes(many))
  if (path === -1) {
    const isLonger = segments.length > expected.length + optional
    return !isLonger && expected.every((segment, at) => isExpansion(segment, segments[at] ?? ''))
  }
  return (
    expected.slice(0, path).every((segment, at) => isExpansion(segment, segments[at] ?? '')) &&
    isExpansion(expected.slice(path).join('/'), segments.slice(path).join('/'))
  )
}

/** Whether a text is a pattern with a value of one or more characters in each place. */
function isExpansion(pattern: string, text: string): boolean {
  const pieces = pattern.split(/[\uE000\uE001]/)
  const [first = '', ...others] = pieces
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  // the first place of each piece leaves most of the text for the next, so no other need be tried
  let at = first.length
  for (const piece of others) {
    const next = text.indexOf(piece, at + 1)
    if (next === -1) return false
    at = next + piece.length
  }
  return text.length - last.length > at
}
