import type { WorkerLog } from '../../out/log.ts'
import type { Failure } from '../../protocol/failure.ts'
import { type RateWindow, readRateLimiter, toSecondsLeft } from '../../util/rate-limit.ts'

type RateLimited = Extract<Failure, { readonly kind: 'rate-limited' }>

interface RequestLimitSettings {
  readonly binding: string
  /** Its limit and period in wrangler.toml. */
  readonly window: RateWindow | undefined
  /** What happens to a request that cannot be counted. */
  readonly whenUnreachable: 'allow' | 'refuse'
}

/**
 * The limit of all requests. It is checked before a body is read, so that a flood costs only its
 * headers.
 */
export class RequestLimit {
  readonly #settings: RequestLimitSettings

  constructor(settings: RequestLimitSettings) {
    this.#settings = settings
  }

  async count(countedAs: string, env: object, log: WorkerLog): Promise<RateLimited | null> {
    const { binding, window } = this.#settings
    const limiter = readRateLimiter(env, binding, 'createWorker')
    if (await this.#isWithin(limiter, countedAs, log)) return null
    const retryAfter = toSecondsLeft(window, Date.now())
    return { kind: 'rate-limited', retryAfter, headers: toLimitHeaders(window, retryAfter) }
  }

  async #isWithin(limiter: RateLimit, key: string, log: WorkerLog): Promise<boolean> {
    try {
      return (await limiter.limit({ key })).success
    } catch (error) {
      const isAllowed = this.#settings.whenUnreachable === 'allow'
      const ending = isAllowed ? 'let through' : 'refused'
      const detail = `${String(error)} (the request was ${ending})`
      log.write('error', { level: 'error', what: 'limit of all requests', detail })
      return isAllowed
    }
  }
}

const policy = '"requests"'

/**
 * Returns the headers of a refused request (RFC 9110, "Retry-After";
 * draft-ietf-httpapi-ratelimit-headers). An allowed request has none of them, because a binding
 * does not return how much is left.
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
