import { type RateWindow, readRateLimiter, toSecondsLeft } from '../../util/rate-limit.ts'

/** A request that is one too many. */
interface Limited {
  /** Whole seconds after which it may be sent again. */
  readonly retryAfter: number
  readonly headers: Readonly<Record<string, string>>
}

/** Counts a request of somebody, and says whether it is one too many. */
export type RequestLimit = (who: string, env: object) => Promise<Limited | null>

interface RequestLimitSettings {
  /** The name of a `[[ratelimits]]` binding. */
  readonly binding: string
  /** What wrangler.toml says of it. */
  readonly window: RateWindow | undefined
  /** What to do with a request that could not be counted. */
  readonly whenUnreachable: 'allow' | 'refuse'
}

/**
 * Makes the limit of all requests. It is asked before a body is read, so that a flood costs no more
 * than its headers.
 */
export function createRequestLimit(settings: RequestLimitSettings): RequestLimit {
  const { binding, window, whenUnreachable } = settings
  return async (who, env) => {
    const limiter = readRateLimiter(env, binding, 'createWorker')
    const isAllowed = await isWithin(limiter, who, whenUnreachable)
    if (isAllowed) return null
    const retryAfter = toSecondsLeft(window, Date.now())
    return { retryAfter, headers: toLimitHeaders(window, retryAfter) }
  }
}

async function isWithin(
  limiter: RateLimit,
  who: string,
  whenUnreachable: 'allow' | 'refuse',
): Promise<boolean> {
  try {
    return (await limiter.limit({ key: who })).success
  } catch (error) {
    const ending = whenUnreachable === 'allow' ? 'let through' : 'refused'
    const detail = `${String(error)} (the request was ${ending})`
    console.error(JSON.stringify({ level: 'error', what: 'limit of all requests', detail }))
    return whenUnreachable === 'allow'
  }
}

/** There is one policy a server: how many requests each caller may send. */
const policy = '"requests"'

/**
 * The headers of a refused request (RFC 9110, "Retry-After"; draft-ietf-httpapi-ratelimit-headers). The
 * policy is said where it is known. Those of an allowed request say nothing of it: a binding does not
 * tell how much is left.
 */
function toLimitHeaders(
  window: RateWindow | undefined,
  retryAfter: number,
): Readonly<Record<string, string>> {
  return {
    'Retry-After': String(retryAfter),
    RateLimit: `${policy};r=0;t=${retryAfter}`,
    ...(window && { 'RateLimit-Policy': `${policy};q=${window.limit};w=${window.period}` }),
  }
}
