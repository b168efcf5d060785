import { toCanonicalJson } from '../kit/canonical-json.ts'
import { isJsonObject, type JsonObject } from '../wire/json.ts'

/** A request whose answer may be kept: its method, and the parameters that the answer depends on. */
export type Lookup =
  | { readonly method: 'resources/list'; readonly cursor: string | undefined }
  | { readonly method: 'resources/read'; readonly uri: string }
  | { readonly method: 'tools/call'; readonly name: string; readonly input: JsonObject }

// the host is a part of no key, and no request ever leaves for it
const origin = 'https://listings.invalid/'

/** Characters that a URL may have and still be stored; longer arguments hardly come twice. */
export const maxLookupUrl = 8_192

/**
 * The URL that an answer is kept under: equal for equal parameters, however they were written
 * (server/utilities/caching, "Cache Key").
 *
 * @throws {TypeError} for what no JSON text could have brought: half a character, which a URL would
 * turn into another one, or a number that is none.
 */
export function toLookupUrl(lookup: Lookup): string {
  const params = toParams(lookup)
  if (!Object.values(params).every((param) => param.isWellFormed())) {
    throw new TypeError('A parameter has half a surrogate pair.')
  }
  return `${origin}${lookup.method}?${new URLSearchParams(params).toString()}`
}

/** Reads what {@link toLookupUrl} made, to the letter; `null` for anything else. */
export function readLookupUrl(url: string): Lookup | null {
  const lookup = readParams(new URL(url))
  return lookup !== null && toLookupUrl(lookup) === url ? lookup : null
}

function readParams({ pathname, searchParams }: URL): Lookup | null {
  switch (pathname) {
    case '/resources/list':
      return { method: 'resources/list', cursor: searchParams.get('cursor') ?? undefined }
    case '/resources/read': {
      const uri = searchParams.get('uri')
      return uri === null ? null : { method: 'resources/read', uri }
    }
    case '/tools/call': {
      const name = searchParams.get('name')
      const input = readJson(searchParams.get('arguments'))
      return name === null || input === null ? null : { method: 'tools/call', name, input }
    }
    default:
      return null
  }
}

function toParams(lookup: Lookup): Record<string, string> {
  switch (lookup.method) {
    case 'resources/list':
      return lookup.cursor === undefined ? {} : { cursor: lookup.cursor }
    case 'resources/read':
      return { uri: lookup.uri }
    case 'tools/call':
      return { name: lookup.name, arguments: toCanonicalJson(lookup.input) }
  }
}

function readJson(text: string | null): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}
