import type { Call } from '../mcp/call.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import { isLoopback } from '../util/address.ts'

/** The origins that may call, besides the server's own; `'*'` means every origin. */
export type Origins = readonly string[] | '*'

const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\sA-Z]+$/
const loopbackOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/**
 * Checks the entries of `origins`.
 *
 * @throws {RangeError} when an entry is not written as browsers write an origin: it would never match.
 */
export function checkOrigins(origins: Origins): void {
  if (origins === '*') return
  const misspelt = origins.find((entry) => !origin.test(entry))
  if (misspelt === undefined) return
  throw new RangeError(
    `"${misspelt}" in \`origins\` is not an origin, so it can never match. ` +
      'Write the scheme and the host in lower case and nothing else, such as https://claude.ai.',
  )
}

/** Returns whether a web page may call (basic/transports/streamable-http, "Security & Endpoint"). */
export function isOriginAllowed(origins: Origins, origin: string, url: string): boolean {
  return origins === '*' || origins.includes(origin) || isOwn(origin, new URL(url))
}

function isOwn(origin: string, url: URL): boolean {
  const { protocol, origin: own } = url
  if (isLoopback(url)) return origin === own || loopbackOrigin.test(origin)
  // over plain HTTP the request itself names the host: a page whose domain was rebound to this
  // address would match its own name
  return protocol === 'https:' && origin === own
}

/**
 * Refuses a host that a web page may have had rebound to this server: over plain HTTP only this
 * machine's own names and the hosts of `origins` are known to be the server's.
 */
export function checkHost({ request, settings }: Call): Outcome | null {
  const url = new URL(request?.url ?? '')
  const { origins } = settings
  const isOwn =
    url.protocol === 'https:' ||
    isLoopback(url) ||
    origins === '*' ||
    origins.some((origin) => URL.canParse(origin) && new URL(origin).host === url.host)
  return isOwn ? null : fail({ kind: 'foreign-host', host: url.host })
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/

const exposed =
  'WWW-Authenticate, Retry-After, MCP-Protocol-Version, Mcp-Session-Id, Age, Cache-Status, ETag'

/**
 * Returns the CORS headers of a reply. They expose headers here, because browsers ignore what a
 * preflight exposes.
 */
export function toCorsHeaders(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': exposed,
  }
}

/**
 * Returns the headers of a reply to a preflight. Requested headers are reflected, since
 * `Mcp-Param-*` names come from the tools and tracing adds its own; invalid header names are left
 * out.
 */
export function toPreflightHeaders(requestedHeaders: string): Record<string, string> {
  const names = requestedHeaders.split(',').map((name) => name.trim())
  return {
    'Access-Control-Allow-Methods': 'POST, GET, DELETE',
    'Access-Control-Allow-Headers': names.filter((name) => token.test(name)).join(', '),
    'Access-Control-Max-Age': '7200', // seconds: the longest that Chromium keeps
    Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  }
}

/**
 * Browser clients that call MCP servers directly, for the `origins` option: Claude, ChatGPT, and
 * the MCP inspector on a developer's machine.
 */
export const webClients: readonly string[] = [
  'https://claude.ai',
  'https://chatgpt.com',
  'http://localhost:6274',
]
