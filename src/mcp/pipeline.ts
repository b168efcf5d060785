import { readThrough } from '../cache/read-through.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import { isRetry } from './call.ts'
import { countCall, countRun, takePlace } from './tool-limits.ts'
import { continueOnce } from './once.ts'
import { type AskResult, type Rounds, askQuestions, readRounds } from './questions/questions.ts'
import { toThrownOutcome } from './thrown-errors.ts'
import { toVisibility } from './visibility.ts'
import type { Work } from './work.ts'

/**
 * Runs all work that calls an author's code, in this order. A call that is created from a cache key
 * skips visibility and limits: they were checked before the cache was read.
 */
export async function runPipeline(work: Work): Promise<Outcome> {
  const { call } = work
  try {
    const refused = call.isFromKey ? null : ((await checkVisible(work)) ?? work.checkParams())
    if (refused !== null) return refused
    await work.load()
    call.announceDeploy()

    const { limits } = work
    if (limits !== null && !call.isFromKey) {
      const full = await takePlace(work, limits)
      if (full !== null) return work.refuse(full)
    }
    // a state must be checked even if nothing is asked any more
    const hasRounds = work.asks || (work.hasRounds && call.params['requestState'] !== undefined)
    const rounds = hasRounds ? await readRounds(work) : null
    // all rounds are one call, which was counted in its first round
    const wasCounted = call.isFromKey || (rounds?.kind === 'rounds' && rounds.isRetry)
    if (limits !== null && !wasCounted) {
      const tooMany = await countCall(work, limits, call.countedAs)
      if (tooMany !== null) return work.refuse(tooMany)
    }
    if (rounds?.kind === 'failure') return rounds

    const lookup = call.isFromKey || isRetry(call.params) ? null : work.toCacheLookup()
    if (lookup !== null) {
      const { compute, store } = call.settings
      const reading = readThrough(lookup, store, compute, call)
      return withHints(work, await work.deadline.within(reading))
    }
    const checking = work.checkInput()
    const invalid = checking instanceof Promise ? await work.deadline.within(checking) : checking
    if (invalid !== null) return invalid
    return withHints(work, rounds === null ? await work.runInTime({}) : await settle(work, rounds))
  } catch (error) {
    return toThrownOutcome(work, error)
  } finally {
    // before the reply is sent, so that the next call finds the lease released
    const ending = call.end()
    if (ending !== null) await ending
  }
}

/** A hidden entry has the same reply as an unknown name. */
async function checkVisible(work: Work): Promise<Outcome | null> {
  const { entry, call } = work
  if (entry === null) return null
  switch (await toVisibility(entry, call)) {
    case 'visible':
      return null
    case 'hidden':
    case 'failed':
      return work.toUnknown()
    case 'step-up':
      return fail(call.stepUp(entry.scopes))
  }
}

/**
 * Asks the questions of the work, and runs it when all are answered. Questions come before the run,
 * so that no side effect happens twice (basic/patterns/mrtr).
 */
async function settle(work: Work, rounds: Rounds): Promise<Outcome> {
  if (!rounds.isRetry) return conclude(work, await askQuestions(work, rounds))
  if (work.runsOnce) return continueOnce(work, rounds, conclude)
  const asked = await askQuestions(work, rounds)
  const { limits } = work
  // no claim prevents that this run is repeated
  const tooMany =
    asked.kind === 'settled' && limits !== null
      ? await countRun(work, limits, rounds.state.nonce)
      : null
  return tooMany === null ? conclude(work, asked) : work.refuse(tooMany)
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
