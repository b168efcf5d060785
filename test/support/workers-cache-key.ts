/** Who is called, and how: the parts of a key that are not in the request. */
export interface Callee {
  readonly entrypoint: string
  readonly props: unknown
}

/** A way to have a response made other than by the URL could poison the cache for everybody else. */
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
 * The key of a request, as https://developers.cloudflare.com/workers/cache/cache-keys/ makes it up.
 * Neither the host is in it nor the method.
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
 * The same text for the same props, in whatever order their keys were written.
 *
 * @throws {TypeError} for what has no structure to compare, such as a `Map` or a stub.
 */
export function toText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toText).join(',')}]`
  if (typeof value !== 'object' || value === null) return toScalar(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('Props can only be compared where they are plain objects and lists.')
  }
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${toText(member)}`).join(',')}}`
}

function toScalar(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
