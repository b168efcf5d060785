import type { ExactLimit, ToolHints } from '../define/tool.ts'
import { toBucketRule } from '../objects/stored-limit.ts'
import type { WorkerLog } from '../out/log.ts'
import { readRateLimiter, toSecondsLeft } from '../util/rate-limit.ts'
import type { Call } from './call.ts'
import { roundLifetime } from './questions/request-state.ts'
import type { LimitSettings } from './settings.ts'
import type { ToolLimits, Work } from './work.ts'

/** What of a {@link Work} is counted. */
type CountedWork = Pick<Work, 'name'> & {
  readonly call: Pick<Call, 'env' | 'log'> & {
    readonly settings: { readonly limits: LimitSettings }
    readonly state: Pick<Call['state'], 'limits'>
  }
}

/**
 * Counts a call against its tool's `limit`, and returns the sentence for one that is one too many: the
 * model has to wait, so the sentence says for how long. `null` lets the call through.
 *
 * @throws {TypeError | RangeError} for a limit that the build would have refused.
 */
export async function countCall(
  counted: CountedWork,
  { limit, hints }: Pick<ToolLimits, 'limit' | 'hints'>,
  countedAs: string,
): Promise<string | null> {
  if (limit === undefined) return null
  const { name, call } = counted
  const count =
    typeof limit === 'string'
      ? toWindowCount(counted, limit, countedAs)
      : toBucketCount(counted, limit, countedAs)
  try {
    const waitMs = await count()
    if (waitMs === null) return null
    return `${name} was not run: ${toReason(limit)}. Try again ${toWaitText(waitMs)}.`
  } catch (error) {
    const { whenUnreachable } = call.settings.limits
    return allowsUncounted(name, hints, whenUnreachable, error, call.log)
      ? null
      : toUncountedText(name)
  }
}

/** How many runs of one call were counted at its beginning. */
const countedAtStart = { tokens: 1, perMs: roundLifetime }

/**
 * Counts the run of a call that has asked questions, which its client can send again and again. The call
 * was counted at its beginning: what all callers share counts only the runs after the first, and any
 * other limit counts them all against the call's own `nonce`.
 */
export async function countRun(
  counted: CountedWork,
  limits: Pick<ToolLimits, 'limit' | 'hints'>,
  nonce: string,
): Promise<string | null> {
  const { limit } = limits
  const isShared = typeof limit === 'object' && (limit.by === 'tool' || limit.by === 'all')
  if (!isShared) return countCall(counted, limits, nonce)
  try {
    const key = ['caller', counted.name, nonce]
    if ((await counted.call.state.limits.takeToken(key, countedAtStart)).allowed) return null
  } catch {
    // counting it below meets the same fault, and decides what becomes of the call
  }
  return countCall(counted, limits, nonce)
}

/** Counts, and resolves with the milliseconds to wait where the call was one too many. */
type Count = () => Promise<number | null>

function toWindowCount({ name, call }: CountedWork, binding: string, countedAs: string): Count {
  const limiter = readRateLimiter(call.env, binding, name)
  return async () => {
    const { success } = await limiter.limit({ key: `${name} ${countedAs}` })
    const window = call.settings.limits.windows.get(binding)
    return success ? null : toSecondsLeft(window, Date.now()) * 1_000
  }
}

function toBucketCount({ name, call }: CountedWork, limit: ExactLimit, countedAs: string): Count {
  const rule = toBucketRule(limit)
  const keys = {
    caller: ['caller', name, countedAs],
    tool: ['tool', name],
    all: ['all', `${rule.tokens} in ${rule.perMs} ms`],
  }
  return async () => {
    const answer = await call.state.limits.takeToken(keys[limit.by ?? 'caller'], rule)
    return answer.allowed ? null : answer.retryMs
  }
}

function toReason(limit: string | ExactLimit): string {
  if (typeof limit === 'string') return 'it was called too often'
  const { tokens, per, by = 'caller' } = limit
  return `it may be called ${tokens === 1 ? 'once' : `${tokens} times`} in ${per}${countedTogether[by]}`
}

const countedTogether = {
  caller: '',
  tool: ' by all callers together',
  all: ' by all callers together, some other tools included',
}

/** How much longer than its time limit a call may take before its place counts as free. */
const marginMs = 5_000

/** What of a {@link Work} takes a place among parallel calls. */
type ParallelWork = Pick<Work, 'name'> & {
  readonly deadline: { readonly limitMs: number }
  readonly call: CountedWork['call'] & Pick<Call, 'countedAs' | 'onEnd'>
}

/**
 * Takes one of the places that a caller has among the parallel calls of a tool, and returns the sentence
 * for a call that finds none free. The place is given back when the call ends; that of a Worker that
 * died is free when the call's time is over.
 */
export async function takePlace(
  { name, call, deadline }: ParallelWork,
  { parallel, hints }: Pick<ToolLimits, 'parallel' | 'hints'>,
): Promise<string | null> {
  if (parallel === undefined) return null
  const { limits } = call.state
  const lease = crypto.randomUUID()
  const key = [name, call.countedAs]
  const giveBack = async (): Promise<void> => {
    try {
      await limits.endLease(key, lease)
    } catch (error) {
      call.log.warn(`parallel calls of ${name}`, String(error))
    }
  }
  try {
    const rule = { most: parallel, ms: deadline.limitMs + marginMs }
    const answer = await limits.takeLease(key, lease, rule)
    if (answer.allowed) {
      call.onEnd(giveBack)
      return null
    }
    const running = parallel === 1 ? 'a call of it is' : `${parallel} calls of it are`
    return (
      `${name} was not run: ${running} running already, which is as many as may be. ` +
      `Wait for one to end, ${toWaitText(answer.retryMs)} at the latest, then try again.`
    )
  } catch (error) {
    // the place may be taken and only the answer lost
    call.onEnd(giveBack)
    const { whenUnreachable } = call.settings.limits
    return allowsUncounted(name, hints, whenUnreachable, error, call.log)
      ? null
      : toUncountedText(name)
  }
}

/**
 * Decides what becomes of a call whose limit does not answer. A tool that only reads had better run;
 * one that deletes had better not.
 */
function allowsUncounted(
  name: string,
  hints: ToolHints | undefined,
  whenUnreachable: LimitSettings['whenUnreachable'],
  error: unknown,
  log: WorkerLog,
): boolean {
  const decision = whenUnreachable ?? (hints?.destructive === true ? 'refuse' : 'allow')
  const ending = decision === 'allow' ? 'run without being counted' : 'refused'
  log.warn(`limit of ${name}`, `${String(error)} (the call was ${ending})`)
  return decision === 'allow'
}

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
