import type { AuthContext, AuthResult, Refusals } from '../../define/authenticator.ts'
import type { WorkerLog } from '../../out/log.ts'
import type { Failure } from '../../protocol/failure.ts'
import { toClientAddress } from '../../util/address.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import { endsQuickly } from '../../util/microtasks.ts'
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

/** Refused requests of one address in an isolate, if `createWorker` has no `limit`. */
const defaultWindow: RateWindow = { limit: 30, period: 60 }
const maxAddresses = 10_000
/** Milliseconds that a request waits while as many others of its address are asked about. */
const patienceMs = 2_000

interface AddressCount {
  refused: number
  /** Questions without an answer yet, each of which may end with a refusal. */
  asking: number
  /** When the count ends, in milliseconds since 1970. */
  readonly until: number
}

interface RefusalSettings {
  /** That of the limit of all requests, if there is one. */
  readonly window: RateWindow | undefined
  readonly allowsAnonymous: boolean
}

/** Made-up credentials would otherwise cost the authorization server a request each. */
export class RefusalLimit implements Refusals {
  readonly #window: RateWindow
  readonly #countsAnonymous: 'always' | 'asked' | 'never'
  readonly #counts = new BoundedMap<string, AddressCount>(maxAddresses)

  constructor({ window, allowsAnonymous }: RefusalSettings) {
    this.#window = window ?? defaultWindow
    // with a window as the limit of all requests does
    this.#countsAnonymous = allowsAnonymous ? 'never' : window === undefined ? 'asked' : 'always'
  }

  /** @throws {TooManyRefusals} before `ask` runs. */
  async ask(
    { headers, ctx }: Pick<AuthContext, 'headers' | 'ctx'>,
    ask: () => Promise<AuthResult>,
  ): Promise<AuthResult> {
    const asking = this.#askInTurn(await this.#takeTurn(toClientAddress(headers)), ask)
    // a client that disconnects would otherwise end this before the answer is counted
    ctx.waitUntil(asking.catch(() => undefined))
    return asking
  }

  async #askInTurn(count: AddressCount, ask: () => Promise<AuthResult>): Promise<AuthResult> {
    try {
      const asking = ask()
      // code that only looks for credentials ends at once: it has asked no server
      const hasAsked = this.#countsAnonymous === 'asked' && !(await endsQuickly(asking))
      const result = await asking
      const isRefused =
        result.kind === 'anonymous'
          ? hasAsked || this.#countsAnonymous === 'always'
          : result.kind !== 'caller'
      if (isRefused) count.refused += 1
      return result
    } finally {
      count.asking -= 1
    }
  }

  async #takeTurn(address: string): Promise<AddressCount> {
    const began = Date.now()
    for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, 100)) {
      const count = this.#get(address)
      const { limit } = this.#window
      if (count.refused >= limit) throw new TooManyRefusals(count.until - Date.now())
      if (count.refused + count.asking < limit) {
        // before the next await: other requests run meanwhile
        count.asking += 1
        return count
      }
      if (Date.now() - began >= patienceMs) throw new TooManyRefusals(1_000)
      // oxlint-disable-next-line no-await-in-loop
      await scheduler.wait(pauseMs)
    }
  }

  #get(address: string): AddressCount {
    const count = this.#counts.get(address)
    if (count !== undefined && count.until > Date.now()) return count
    return this.#start(address, this.#window.period, 0)
  }

  /** Runs no `ask` for an address for some seconds, because it is over the limit of all requests. */
  block(address: string, seconds: number): void {
    this.#start(address, seconds, this.#window.limit)
  }

  #start(address: string, seconds: number, refused: number): AddressCount {
    const count = { refused, asking: 0, until: Date.now() + seconds * 1_000 }
    this.#counts.set(address, count)
    return count
  }
}

/** Thrown in place of a question to another service. */
export class TooManyRefusals extends Error {
  readonly failure: RateLimited

  constructor(waitMs: number) {
    super('Too many requests of this address were refused.')
    const retryAfter = Math.max(1, Math.ceil(waitMs / 1_000))
    this.failure = {
      kind: 'rate-limited',
      retryAfter,
      headers: { 'Retry-After': String(retryAfter) },
    }
  }
}
