import { readRateLimiter } from '../kit/rate-limiter.ts'
import { toSecondsLeft, type RateWindow } from '../kit/rate-window.ts'
import { toLimitHeaders } from './limit-headers.ts'

/** A request that is one too many. */
export interface Limited {
  /** Whole seconds after which it may be sent again. */
  readonly retryAfter: number
  readonly headers: Readonly<Record<string, string>>
}

/** Counts a request of somebody, and says whether it is one too many. */
export type RequestLimit = (who: string, env: object) => Promise<Limited | null>

export interface RequestLimitSettings {
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
