/**
 * Finds a `[[ratelimits]]` binding.
 *
 * @throws {TypeError} when the Worker has no such binding; the build refuses that before a deploy.
 */
export function readRateLimiter(env: object, binding: string, of: string): RateLimit {
  const limiter: unknown = Reflect.get(env, binding)
  if (isRateLimiter(limiter)) return limiter
  throw new TypeError(
    `${of} has the limit ${binding}, but this Worker has no such binding. ` +
      `Add it to wrangler.toml: [[ratelimits]] with name = "${binding}".`,
  )
}

function isRateLimiter(value: unknown): value is RateLimit {
  return typeof value === 'object' && value !== null && 'limit' in value
}

/** What a `[[ratelimits]]` binding lets through: `limit` calls in each `period` of seconds. */
export interface RateWindow {
  readonly limit: number
  readonly period: number
}

/** The longest period that a binding can have; the other one, of ten seconds, ends with it. */
const longest = 60

/**
 * Whole seconds until the window of this moment ends, 1 or more. Windows begin with the clock and not
 * with the first call, and the binding itself does not say when. `now` is in milliseconds.
 */
export function toSecondsLeft(window: RateWindow | undefined, now: number): number {
  const period = window?.period ?? longest
  return Math.ceil(period - ((now / 1_000) % period))
}
