/** The entrypoint and its props: the parts of a key that are not in the request. */
export interface Callee {
  readonly entrypoint: string
  readonly props: unknown
}

/** Headers that can change a response beside the URL, and could poison a cache without them in its key. */
const poisonous = [
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-forwarded-host',
  'x-host',
  'x-forwarded-scheme',
  'x-original-url',
  'x-rewrite-url',
  'forwarded',
  'cloudflare-workers-version-key',
]

/**
 * Returns the key of a request, as https://developers.cloudflare.com/workers/cache/cache-keys/ has it.
 * It contains neither the host nor the method.
 */
export function toKey({ entrypoint, props }: Callee, request: Request, version: string): string {
  const { pathname, search } = new URL(request.url)
  const custom = request.cf?.cacheKey
  const place = typeof custom === 'string' && custom !== '' ? custom : pathname + search
  const headers = poisonous.map((name) => readPoison(request, name))
  return JSON.stringify([entrypoint, version, place, toText(props), headers])
}

function readPoison({ headers }: Request, name: string): string | null {
  const value = headers.get(name)
  const isHarmless = name === 'x-forwarded-scheme' && (value === 'http' || value === 'https')
  return isHarmless ? null : value
}

/**
 * Prints props as text that does not depend on the order of their keys.
 *
 * @throws {TypeError} for what is not a plain object, a list or a scalar, such as a `Map` or a stub.
 */
export function toText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toText).join(',')}]`
  if (typeof value !== 'object' || value === null) return toScalar(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('Props must be plain objects and lists, or they cannot be compared.')
  }
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toText(member)}`).join(',')}}`
}

function toScalar(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
