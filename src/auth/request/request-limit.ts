import type { WorkerLog } from '../../out/log.ts'
import type { Failure } from '../../protocol/failure.ts'
import { type RateWindow, readRateLimiter, toSecondsLeft } from '../../util/rate-limit.ts'

/** The failure of a request that is one too many. */
type RateLimited = Extract<Failure, { readonly kind: 'rate-limited' }>

interface RequestLimitSettings {
  /** The name of a `[[ratelimits]]` binding. */
  readonly binding: string
  /** What wrangler.toml says of it. */
  readonly window: RateWindow | undefined
  /** What happens to a request that could not be counted. */
  readonly whenUnreachable: 'allow' | 'refuse'
}

/** The limit of all requests, asked before a body is read, so that a flood costs no more than its headers. */
export class RequestLimit {
  readonly #settings: RequestLimitSettings

  constructor(settings: RequestLimitSettings) {
    this.#settings = settings
  }

  /** Counts a request of a caller or an address; `null` lets it through. */
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
