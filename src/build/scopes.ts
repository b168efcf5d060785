import { distance } from 'fastest-levenshtein'
import type { Entry } from './evaluated.ts'
import { isTextList } from '../protocol/json.ts'

/** Finds what is probably wrong with scopes: no caller might ever see these entries. */
export function findScopeWarnings(entries: readonly Entry[], hasAuth: boolean): readonly string[] {
  const files = toFilesByScope(entries)
  return [...findMisspelt(files), ...(hasAuth ? [] : findUnreachable(entries))]
}

/** The files that name each scope, in `scopes` or, if it can be read, in `visible`. */
type FilesByScope = ReadonlyMap<string, readonly string[]>

function toFilesByScope(entries: readonly Entry[]): FilesByScope {
  const files = new Map<string, string[]>()
  for (const entry of entries) {
    for (const scope of new Set([...toScopes(entry), ...(entry.visibleScopes ?? [])])) {
      files.set(scope, [...(files.get(scope) ?? []), entry.file])
    }
  }
  return files
}

function toScopes({ members }: Entry): readonly string[] {
  const { scopes } = members
  return isTextList(scopes) ? scopes : []
}

function findMisspelt(files: FilesByScope): readonly string[] {
  const scopes = [...files.keys()].toSorted()
  return scopes.flatMap((scope, index) =>
    scopes.slice(index + 1).flatMap((other) => {
      if (!areAlike(scope, other)) return []
      return (
        `The scopes ${toPlace(scope, files)} and ${toPlace(other, files)} are nearly the same. If one is misspelt, no caller ` +
        'has it, and what needs it is hidden from all. Write the same scope in both places.'
      )
    }),
  )
}

function toPlace(scope: string, files: FilesByScope): string {
  return `"${scope}" (${files.get(scope)?.join(', ')})`
}

/** Shorter scopes may well differ in one letter: `a` and `b`. */
const minLength = 4

/** Whether two scopes differ in one letter, in two letters that changed places, or in their case. */
function areAlike(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < minLength) return false
  // `tier1` and `tier2` are meant
  if (a.replaceAll(/\d+/g, '0') === b.replaceAll(/\d+/g, '0')) return false
  const [low, lower] = [a.toLowerCase(), b.toLowerCase()]
  return distance(low, lower) <= 1 || areSwapped(low, lower)
}

function areSwapped(a: string, b: string): boolean {
  const first = a.split('').findIndex((letter, index) => letter !== b[index])
  const swapped = [a.slice(0, first), a[first + 1], a[first], a.slice(first + 2)].join('')
  return swapped === b
}

function findUnreachable(entries: readonly Entry[]): readonly string[] {
  const closed = entries.filter((entry) => toScopes(entry).length > 0)
  if (closed.length === 0) return []
  const files = [...new Set(closed.map(({ file }) => file))].join(', ')
  return [
    `createWorker in the \`main\` module has no \`auth\`, so no caller can have the scopes that these need: ` +
      `${files}. They are left out of lists, and refused. Add \`auth\`, such as jwt({ issuer }), or ` +
      'remove `scopes`.',
  ]
}
