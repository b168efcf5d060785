import type { ExactLimit } from '../../define/exact-limit.ts'
import type { ToolHints } from '../../define/tool.ts'
import { readRateLimiter } from '../../kit/rate-limiter.ts'
import { toSecondsLeft, type RateWindow } from '../../kit/rate-window.ts'
import { toBucketRule, type BucketRule } from '../../state/limit-bucket.ts'
import type { Limits } from '../../state/limits.ts'
import { allowsUncounted, toUncountedText, type WhenUnreachable } from './unreachable-limit.ts'
import { toWaitText } from './wait-text.ts'

/** A call that is to be counted. */
export interface LimitedCall {
  /** The tool's name. */
  readonly name: string
  /** The name of a `[[ratelimits]]` binding, or an exact limit. */
  readonly limit: string | ExactLimit | undefined
  readonly hints: ToolHints | undefined
  /** The caller's digest, or else the client's address. */
  readonly who: string
  readonly env: object
  readonly limits: Limits
}

export interface LimitSettings {
  /** What wrangler.toml says of each binding, by name. */
  readonly windows: ReadonlyMap<string, RateWindow>
  readonly whenUnreachable: WhenUnreachable
}

/**
 * Counts a call, and gives the sentence for one that is one too many: the model is the one who has to
 * wait, so it is told for how long. `null` lets the call through.
 *
 * @throws {TypeError | RangeError} for a limit that the build would have refused.
 */
export async function findLimitRefusal(
  call: LimitedCall,
  { windows, whenUnreachable }: LimitSettings,
): Promise<string | null> {
  const { name, limit, hints } = call
  if (limit === undefined) return null
  const count = typeof limit === 'string' ? toWindow(call, limit, windows) : toBucket(call, limit)
  try {
    const waitMs = await count()
    if (waitMs === null) return null
    return `${name} was not run: ${toReason(limit)}. Try again ${toWaitText(waitMs)}.`
  } catch (error) {
    return allowsUncounted(name, hints, whenUnreachable, error) ? null : toUncountedText(name)
  }
}

/** Counts, and gives the milliseconds to wait where it was one too many. */
type Count = () => Promise<number | null>

function toWindow(
  { name, who, env }: LimitedCall,
  binding: string,
  windows: LimitSettings['windows'],
): Count {
  const limiter = readRateLimiter(env, binding, name)
  return async () => {
    const { success } = await limiter.limit({ key: `${name} ${who}` })
    return success ? null : toSecondsLeft(windows.get(binding), Date.now()) * 1_000
  }
}

function toBucket(call: LimitedCall, limit: ExactLimit): Count {
  const rule = toBucketRule(limit)
  return async () => {
    const answer = await call.limits.take(toKey(call, limit, rule), rule)
    return answer.allowed ? null : answer.retryMs
  }
}

function toKey(
  { name, who }: LimitedCall,
  { by = 'caller' }: ExactLimit,
  rule: BucketRule,
): string[] {
  switch (by) {
    case 'tool':
      return ['tool', name]
    case 'all':
      return ['all', `${rule.tokens} in ${rule.perMs} ms`]
    case 'caller':
      return ['caller', name, who]
  }
}

function toReason(limit: string | ExactLimit): string {
  if (typeof limit === 'string') return 'it was called too often'
  const { tokens, per, by = 'caller' } = limit
  return `it may be called ${tokens === 1 ? 'once' : `${tokens} times`} in ${per}${together[by]}`
}

const together = {
  caller: '',
  tool: ' by all callers together',
  all: ' by all callers together, some other tools included',
}
