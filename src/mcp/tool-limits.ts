import type { ExactLimit, ToolHints } from '../define/tool.ts'
import { toBucketRule } from '../objects/stored-limit.ts'
import type { WorkerLog } from '../out/log.ts'
import { readRateLimiter, toSecondsLeft } from '../util/rate-limit.ts'
import type { Call } from './call.ts'
import { roundLifetime } from './questions/request-state.ts'
import { type RoundState, maxRounds } from './questions/rounds.ts'
import type { LimitSettings } from './settings.ts'
import type { ToolLimits, Work } from './work.ts'

type CountedWork = Pick<Work, 'name'> & {
  readonly call: Pick<Call, 'env' | 'log'> & {
    readonly settings: { readonly limits: LimitSettings }
    readonly state: Pick<Call['state'], 'limits'>
  }
}

/**
 * Counts a call against the `limit` of its tool. Returns `null` if it is allowed, otherwise a
 * sentence that tells the model how long to wait.
 *
 * @throws {TypeError | RangeError} for a limit that the build refuses, and for an exact one in a
 *   Worker without Durable Objects: a limit that cannot exist must not let calls through.
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

/** Milliseconds in which every state of a call has expired: it sealed one for each of its rounds. */
const callLifetime = (maxRounds + 1) * roundLifetime
const firstUse = { tokens: 1, perMs: callLifetime }

/**
 * Returns whether a state of a call was sent before. The rounds of a call were counted in its first
 * one, but its client can send each of them as often as it likes.
 */
export async function isRepeated(
  { call }: CountedWork,
  { nonce, round }: Pick<RoundState, 'nonce' | 'round'>,
): Promise<boolean> {
  try {
    const key = ['round', nonce, String(round)]
    return !(await call.state.limits.takeToken(key, firstUse)).allowed
  } catch {
    // a round too many is counted, rather than one too few
    return true
  }
}

/** Counts a call, and resolves with the milliseconds to wait; `null` if the call is allowed. */
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
  const { limits } = call.state
  const keys = {
    caller: ['caller', name, countedAs],
    tool: ['tool', name],
    all: ['all', `${rule.tokens} in ${rule.perMs} ms`],
  }
  return async () => {
    const answer = await limits.takeToken(keys[limit.by ?? 'caller'], rule)
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
  all: ' by all callers together, including some other tools',
}

/** Milliseconds after the time limit of a call in which its lease is still valid. */
const marginMs = 5_000

type ParallelWork = Pick<Work, 'name'> & {
  readonly deadline: { readonly limitMs: number }
  readonly call: CountedWork['call'] & Pick<Call, 'countedAs' | 'onEnd'>
}

/**
 * Takes a lease for one of the parallel calls that a tool allows each caller. Returns a sentence if
 * there is none left. The lease is released when the call's work has ended, and expires if the Worker
 * dies.
 *
 * @throws {TypeError} in a Worker without Durable Objects.
 */
export async function takePlace(
  { name, call, deadline }: ParallelWork,
  { parallel, hints }: Pick<ToolLimits, 'parallel' | 'hints'>,
): Promise<string | null> {
  if (parallel === undefined) return null
  const { limits } = call.state
  const lease = crypto.randomUUID()
  const key = [name, call.countedAs]
  let isRefused = false
  const giveBack = async (): Promise<void> => {
    if (isRefused) return
    try {
      await limits.endLease(key, lease)
    } catch (error) {
      call.log.warn(`parallel calls of ${name}`, String(error))
    }
  }
  // before: the client may disconnect in the meantime, and the lease may be taken even if the reply is lost
  call.onEnd(giveBack)
  try {
    const rule = { most: parallel, ms: deadline.limitMs + marginMs }
    const answer = await limits.takeLease(key, lease, rule)
    if (answer.allowed) return null
    isRefused = true
    const running = parallel === 1 ? 'a call of it is' : `${parallel} calls of it are`
    return (
      `${name} was not run: ${running} running already, which is the limit. ` +
      `Wait for one to end, ${toWaitText(answer.retryMs)} at the latest, then try again.`
    )
  } catch (error) {
    const { whenUnreachable } = call.settings.limits
    return allowsUncounted(name, hints, whenUnreachable, error, call.log)
      ? null
      : toUncountedText(name)
  }
}

/**
 * Decides whether a call may run if its limit cannot be reached. By default a destructive tool may
 * not.
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
  return `${name} was not run, because its limit could not be checked. Try again in a minute.`
}

const units = [
  { name: 'second', ms: 1_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'hour', ms: 3_600_000 },
] as const

/** Converts milliseconds to text such as "in 36 seconds", never too short. */
export function toWaitText(ms: number): string {
  // the larger unit only above two of it: "in 2 hours" is too imprecise for 61 minutes
  const unit = units.findLast((candidate) => ms > 2 * candidate.ms) ?? units[0]
  const count = Math.max(1, Math.ceil(ms / unit.ms))
  return `in ${count} ${unit.name}${count === 1 ? '' : 's'}`
}
