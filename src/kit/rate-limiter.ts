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
