import { isLoopback } from '../kit/loopback.ts'

/** The origins that may call besides the server's own; `'*'` stands for every origin. */
export type Origins = readonly string[] | '*'

const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\sA-Z]+$/
const loopbackOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/**
 * Makes the check of the `Origin` header that keeps foreign web pages out
 * (basic/transports/streamable-http, "Security & Endpoint").
 *
 * @throws {RangeError} when an entry is not written as browsers write an origin: it would never match.
 */
export function createOriginCheck(origins: Origins): (origin: string, url: string) => boolean {
  if (origins === '*') return () => true
  const misspelt = origins.find((entry) => !origin.test(entry))
  if (misspelt !== undefined) {
    throw new RangeError(
      `"${misspelt}" in \`origins\` is not an origin, so no browser would ever match it. ` +
        'Write the scheme and the host in lower case and nothing else, such as https://claude.ai.',
    )
  }
  return (origin, url) => origins.includes(origin) || isOwn(origin, new URL(url))
}

function isOwn(origin: string, url: URL): boolean {
  const { protocol, origin: own } = url
  if (isLoopback(url)) return origin === own || loopbackOrigin.test(origin)
  // over plain http the host is only what the request says of itself: a page whose name was rebound
  // to this address sends its own, and must not vouch for itself
  return protocol === 'https:' && origin === own
}
