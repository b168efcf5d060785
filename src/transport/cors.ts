const token = /^[!#$%&'*+.^_`|~\w-]+$/

const exposed = 'WWW-Authenticate, Retry-After, MCP-Protocol-Version, Age, Cache-Status, ETag'

/**
 * The CORS headers of a reply to an origin that may call, or none for a client that is no browser.
 * Headers are exposed here, on the real reply: browsers ignore what a preflight exposes.
 */
export function corsHeaders(origin: string | null): Record<string, string> {
  if (origin === null) return {}
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': exposed,
  }
}

/**
 * The headers that answer a preflight. Requested headers are reflected, since `Mcp-Param-*` names
 * come from the tools and tracing adds its own; what is not a header name is left out.
 */
export function preflightHeaders(requestedHeaders: string): Record<string, string> {
  const names = requestedHeaders.split(',').map((name) => name.trim())
  return {
    'Access-Control-Allow-Methods': 'POST, GET',
    'Access-Control-Allow-Headers': names.filter((name) => token.test(name)).join(', '),
    'Access-Control-Max-Age': '7200', // seconds: the longest that Chromium keeps
    Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  }
}
