import { readThrough } from '../cache/read-through.ts'
import type { FailureOutcome, Outcome } from '../protocol/outcome.ts'
import { isRetry } from './call.ts'
import { askClient } from './legacy/ask-client.ts'
import { countCall, isRepeated, takePlace } from './tool-limits.ts'
import { continueOnce, findRun, waitForRun } from './once.ts'
import { type AskResult, type Rounds, askQuestions, readRounds } from './questions/questions.ts'
import { toThrownOutcome } from './thrown-errors.ts'
import { checkVisible } from './visibility.ts'
import type { ToolLimits, Work } from './work.ts'

/**
 * Runs all work that calls an author's code, in this order. A call that is created from a cache key
 * skips visibility and limits: they were checked before the cache was read.
 */
export async function runPipeline(work: Work): Promise<Outcome> {
  const { call } = work
  try {
    const refused = call.isFromKey
      ? null
      : ((await checkVisible(work.entry, call, () => work.toUnknown())) ?? work.checkParams())
    if (refused !== null) return refused
    await work.load()
    call.announceDeploy()

    const limits = call.isFromKey ? null : work.limits
    const full = limits === null ? null : await takePlace(work, limits)
    // what a client sends of rounds must be checked even if nothing is asked any more
    const hasRounds = work.asks || (work.hasRounds && isRetry(call.params))
    const rounds = hasRounds ? await readRounds(work) : null
    // the place may be that of the run whose result this request is to return
    if (full !== null) return (await findEarlier(work, rounds, waitForRun)) ?? work.refuse(full)
    if (limits !== null) {
      const ended = await countRound(work, limits, rounds)
      if (ended !== null) return ended
    }
    if (rounds?.kind === 'failure') return rounds

    const lookup = call.isFromKey || isRetry(call.params) ? null : work.toCacheLookup()
    if (lookup !== null) {
      const { compute, store } = call.settings
      const reading = readThrough(lookup, store, compute, call)
      return withHints(work, await work.deadline.within(reading, 'keep'))
    }
    const checking = work.checkInput()
    const invalid = checking instanceof Promise ? await work.deadline.within(checking) : checking
    if (invalid !== null) return invalid
    return withHints(work, rounds === null ? await work.runInTime({}) : await settle(work, rounds))
  } catch (error) {
    return toThrownOutcome(work, error)
  } finally {
    // before the reply is sent, so that the next call finds the lease released
    const ending = call.end(work.stopping)
    if (ending !== null) await ending
  }
}

/**
 * Counts a call in its first round. A later round counts only if its state was sent before: `ask` and
 * `run` would otherwise run as often as a client sends one state. Returns an outcome that ends the call.
 */
async function countRound(
  work: Work,
  limits: ToolLimits,
  rounds: Rounds | FailureOutcome | null,
): Promise<Outcome | null> {
  if (limits.limit === undefined) return null
  if (rounds?.kind === 'rounds' && rounds.isRetry) {
    if (!(await isRepeated(work, rounds.state))) return null
    // a result that is stored runs nothing
    const ran = await findEarlier(work, rounds, findRun)
    if (ran !== null) return ran
  }
  const tooMany = await countCall(work, limits, work.call.countedAs)
  return tooMany === null ? null : work.refuse(tooMany)
}

/** Finds the run of a call that must run once, if an earlier request may have run it. */
async function findEarlier(
  work: Work,
  rounds: Rounds | FailureOutcome | null,
  find: (work: Work, nonce: string) => Promise<Outcome | null>,
): Promise<Outcome | null> {
  if (rounds?.kind !== 'rounds' || !rounds.isRetry || !work.runsOnce) return null
  return find(work, rounds.state.nonce)
}

/**
 * Asks the questions of the work, and runs it when all are answered. Questions come before the run,
 * so that no side effect happens twice (basic/patterns/mrtr).
 */
async function settle(work: Work, rounds: Rounds): Promise<Outcome> {
  const { revision } = work.call
  if (revision !== null) return askClient(work, revision, rounds.state, conclude)
  if (rounds.isRetry && work.runsOnce) return continueOnce(work, rounds, conclude)
  return conclude(work, await askQuestions(work, rounds))
}

function conclude(work: Work, asked: AskResult): Outcome | Promise<Outcome> {
  switch (asked.kind) {
    case 'settled':
      return work.runInTime(asked.answers)
    case 'ended':
      return asked.outcome
    case 'stopped':
      return work.refuse(asked.why)
  }
}

function withHints({ hints }: Work, outcome: Outcome): Outcome {
  if (outcome.kind !== 'result' || hints === null) return outcome
  // what lacks something because of an error is not cached anywhere
  return { ...outcome, hints: outcome.errorId === undefined ? hints : { ...hints, ttlMs: 0 } }
}
