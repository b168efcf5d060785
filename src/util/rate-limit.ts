/**
 * Returns a `[[ratelimits]]` binding of `env`.
 *
 * @throws {TypeError} if the Worker has no such binding, which the build refuses before a deploy.
 */
export function readRateLimiter(env: object, binding: string, of: string): RateLimit {
  const limiter: unknown = Reflect.get(env, binding)
  if (isRateLimiter(limiter)) return limiter
  throw new TypeError(
    `${of} has the limit ${binding}, but \`env.${binding}\` is not a [[ratelimits]] binding of this Worker. ` +
      `Add [[ratelimits]] with name = "${binding}" to wrangler.toml. An [env.*] needs its own: it does not ` +
      'inherit bindings.',
  )
}

export function isRateLimiter(value: unknown): value is RateLimit {
  if (typeof value !== 'object' || value === null || !('limit' in value)) return false
  return typeof value.limit === 'function'
}

/** A `[[ratelimits]]` binding allows `limit` calls in each `period` of seconds. */
export interface RateWindow {
  readonly limit: number
  readonly period: number
}

/** The longest period that a binding can have. The other period, 10 seconds, divides it. */
const longest = 60

/**
 * Returns the whole seconds until the current window ends, 1 or more. The binding does not return them,
 * but its windows begin with the clock and not with the first call. `now` is in milliseconds.
 */
export function toSecondsLeft(window: RateWindow | undefined, now: number): number {
  const period = window?.period ?? longest
  return Math.ceil(period - ((now / 1_000) % period))
}
