import type { ExactLimit, ToolHints } from '../define/tool.ts'
import { type BucketRule, toBucketRule } from '../objects/stored-limit.ts'
import type { Limits } from '../state/limits.ts'
import { logNotice } from '../out/log.ts'
import { type RateWindow, readRateLimiter, toSecondsLeft } from '../util/rate-limit.ts'
import type { ToolCall } from './checked-call.ts'

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

/** A call of a tool of which a caller may run only so many at once. */
export interface ParallelCall {
  readonly name: string
  /** How many; any number where it is `undefined`. */
  readonly parallel: number | undefined
  readonly hints: ToolHints | undefined
  /** The caller's digest, or else the client's address. */
  readonly who: string
  /** How long one call may take. */
  readonly limitMs: number
  readonly limits: Limits
  readonly whenUnreachable: WhenUnreachable
}

type ParallelRun<Value> =
  | { readonly ok: true; readonly value: Value }
  /** It was not run; `why` is for the model. */
  | { readonly ok: false; readonly why: string }

/** How much longer than its time limit a call may take before its place counts as free. */
const marginMs = 5_000

/**
 * Runs `work` if its caller has fewer calls of the tool running than allowed. The place is given back
 * before the reply goes out, so that who calls again at once finds it free; the place of a Worker that
 * died is free when the call's time is over.
 */
export async function runParallel<Value>(
  call: ParallelCall,
  work: () => Promise<Value>,
): Promise<ParallelRun<Value>> {
  const { name, parallel, limits, who } = call
  if (parallel === undefined) return { ok: true, value: await work() }
  const lease = crypto.randomUUID()
  const why = await findRefusal(call, lease, parallel)
  if (why !== null) return { ok: false, why }
  try {
    return { ok: true, value: await work() }
  } finally {
    await limits
      .end([name, who], lease)
      .catch((error: unknown) => logNotice(`parallel calls of ${name}`, String(error)))
  }
}

async function findRefusal(
  { name, hints, who, limitMs, limits, whenUnreachable }: ParallelCall,
  lease: string,
  most: number,
): Promise<string | null> {
  try {
    const answer = await limits.begin([name, who], lease, { most, ms: limitMs + marginMs })
    if (answer.allowed) return null
    const running = most === 1 ? 'a call of it is' : `${most} calls of it are`
    return (
      `${name} was not run: ${running} running already, which is as many as may be. ` +
      `Wait for one to end, ${toWaitText(answer.retryMs)} at the latest, then try again.`
    )
  } catch (error) {
    return allowsUncounted(name, hints, whenUnreachable, error) ? null : toUncountedText(name)
  }
}

/** What to do with calls that cannot be counted; what the tool's hints suggest unless said. */
type WhenUnreachable = 'allow' | 'refuse' | undefined

/**
 * Decides what becomes of a call whose limit does not answer, and writes it to the log. A tool that
 * only reads had better answer; one that deletes had better not.
 */
function allowsUncounted(
  name: string,
  hints: ToolHints | undefined,
  whenUnreachable: WhenUnreachable,
  error: unknown,
): boolean {
  const decision = whenUnreachable ?? (hints?.destructive === true ? 'refuse' : 'allow')
  const ending = decision === 'allow' ? 'run without being counted' : 'refused'
  logNotice(`limit of ${name}`, `${String(error)} (the call was ${ending})`)
  return decision === 'allow'
}

/** What a model is told of a call that was refused for it. */
function toUncountedText(name: string): string {
  return `${name} was not run, as its limit could not be checked just now. Try again in a minute.`
}

const units = [
  { name: 'second', ms: 1_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'hour', ms: 3_600_000 },
] as const

/** Says in how long something is worth another try, and never too soon: "in 36 seconds". */
export function toWaitText(ms: number): string {
  // up to two of a unit are said in the one below: an hour and a minute is not two hours
  const unit = units.findLast((candidate) => ms > 2 * candidate.ms) ?? units[0]
  const count = Math.max(1, Math.ceil(ms / unit.ms))
  return `in ${count} ${unit.name}${count === 1 ? '' : 's'}`
}

/** Counts a call against the tool's limit; the sentence for one that is one too many, or `null`. */
export function countCall(
  { call, tool, state, settings }: ToolCall,
  who: string,
): Promise<string | null> | null {
  const { limit, hints } = tool.definition
  // most tools have none, and a promise for nothing is not free
  if (limit === undefined) return null
  const { limits } = state
  const counted = { name: call.name, limit, hints, who, env: call.exchange.env, limits }
  return findLimitRefusal(counted, settings.limits)
}
