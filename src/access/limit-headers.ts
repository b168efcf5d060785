import type { RateWindow } from '../kit/rate-window.ts'

/** There is one policy a server: how many requests each caller may send. */
const policy = '"requests"'

/**
 * The headers of a refused request (RFC 9110, "Retry-After"; draft-ietf-httpapi-ratelimit-headers). The
 * policy is said where it is known. Those of an allowed request say nothing of it: a binding does not
 * tell how much is left.
 */
export function toLimitHeaders(
  window: RateWindow | undefined,
  retryAfter: number,
): Readonly<Record<string, string>> {
  return {
    'Retry-After': String(retryAfter),
    RateLimit: `${policy};r=0;t=${retryAfter}`,
    ...(window && { 'RateLimit-Policy': `${policy};q=${window.limit};w=${window.period}` }),
  }
}
