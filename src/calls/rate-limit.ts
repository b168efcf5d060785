import type { Exchange } from '../wire/exchange.ts'

/**
 * Counts a call against the tool's `[[ratelimits]]` binding, each client address by itself, and
 * tells whether it is one too many. A tool without a limit is never over it.
 *
 * @throws {TypeError} when the Worker has no such binding; the build refuses that before a deploy.
 */
export async function isOverLimit(
  name: string,
  binding: string | undefined,
  { env, headers }: Exchange,
): Promise<boolean> {
  if (binding === undefined) return false
  const limiter: unknown = Reflect.get(env, binding)
  if (!isRateLimit(limiter)) {
    throw new TypeError(`${name} has the limit ${binding}, but wrangler.toml has no such binding.`)
  }
  const address = headers.get('CF-Connecting-IP') ?? 'unknown'
  const { success } = await limiter.limit({ key: `${name} ${address}` })
  return !success
}

function isRateLimit(value: unknown): value is RateLimit {
  return typeof value === 'object' && value !== null && 'limit' in value
}
