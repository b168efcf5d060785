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
 * The one way of everything that runs an author's code. A call that is made from a cache key goes the
 * same way: who may have its result, and how often, was decided before it was asked for.
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
    // a client that brings a state has to be heard, if only to refuse what was never sealed here
    const isHeard = work.asks || (work.hasRounds && call.params['requestState'] !== undefined)
    const rounds = isHeard ? await readRounds(work) : null
    // all rounds are one call: a proven retry was counted at its beginning
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
    // before the reply goes out, so that whoever calls again at once finds the place free
    const ending = call.end()
    if (ending !== null) await ending
  }
}

/** What is hidden reads like what was never there. */
async function checkVisible(work: Work): Promise<Outcome | null> {
  const { entry, call } = work
  if (entry === null) return null
  switch (await toVisibility(entry, call)) {
    case 'visible':
      return null
    case 'hidden':
      return work.toUnknown()
    case 'step-up':
      return fail(call.stepUp(entry.scopes))
  }
}

/**
 * Asks what the work needs to know, and runs it when everything is answered. Questions come before
 * work, so that no side effect happens twice (basic/patterns/mrtr).
 */
async function settle(work: Work, rounds: Rounds): Promise<Outcome> {
  if (!rounds.isRetry) return conclude(work, await askQuestions(work, rounds))
  if (work.runsOnce) return continueOnce(work, rounds, conclude)
  const asked = await askQuestions(work, rounds)
  const { limits } = work
  // no claim keeps this run from being sent again and again
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
  return outcome.kind === 'result' && hints !== null ? { ...outcome, hints } : outcome
}
