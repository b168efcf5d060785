import type { Outcome } from '../protocol/outcome.ts'
import type { FoundRun } from '../objects/stored-claim.ts'
import { type AskResult, type Rounds, askQuestions } from './questions/questions.ts'
import { roundLifetime } from './questions/request-state.ts'
import { TimeLimitExceeded } from './deadline.ts'
import type { AnswerValues, Work } from './work.ts'

/** Milliseconds after the time limit of a run in which it does not count as cut off. */
const marginMs = 5_000

/**
 * Continues a call that has asked questions and must run once, even if its last round is sent
 * again. If another request has run it by now, that result is returned whatever `ask` returns this
 * time.
 */
export async function continueOnce(
  work: Work,
  rounds: Rounds,
  conclude: (work: Work, asked: AskResult) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const { nonce } = rounds.state
  const [asked] = await Promise.allSettled([askQuestions(work, rounds)])
  if (asked.status === 'fulfilled' && asked.value.kind === 'settled') {
    return runOnce(work, nonce, asked.value.answers)
  }
  // after the run `ask` may fail, for example for a basket that has been paid for
  const ran = await findRun(work, nonce)
  if (ran !== null) return ran
  if (asked.status === 'rejected') throw asked.reason
  return conclude(work, asked.value)
}

/**
 * Waits for the run of a call that must run once, and returns how it ended; `null` if no request has
 * begun to run it.
 */
export async function findRun(work: Work, nonce: string): Promise<Outcome | null> {
  try {
    const found = await work.deadline.within(work.call.state.claims.look(nonce))
    return found === null ? null : toFound(work, found)
  } catch (error) {
    if (error instanceof TimeLimitExceeded) return toFound(work, { kind: 'running' })
    throw error
  }
}

/** Milliseconds between looks, in which a request that has taken the last place begins its run. */
const pausesMs = [0, 50, 100, 200, 400, 800]

/** Does the same as {@link findRun}, and gives another request some time to begin the run. */
export async function waitForRun(work: Work, nonce: string): Promise<Outcome | null> {
  for (const pauseMs of pausesMs) {
    // oxlint-disable-next-line no-await-in-loop
    if (pauseMs > 0) await scheduler.wait(pauseMs)
    // oxlint-disable-next-line no-await-in-loop
    const found = await findRun(work, nonce)
    if (found !== null) return found
  }
  return null
}

/**
 * Runs a call once: each repetition gets the result of that run. A run that was cut off is not
 * repeated, since how far it came is not known.
 */
async function runOnce(work: Work, nonce: string, answers: AnswerValues): Promise<Outcome> {
  const running = claimRun(work, nonce, answers)
  // the platform cancels a request with its connection, and with it the only run that there will be
  work.call.waitUntil(running.catch(() => {}))
  const outcome = await running
  if (outcome !== null) return outcome
  return (await findRun(work, nonce)) ?? toFound(work, { kind: 'unknown' })
}

/** Claims the run, and runs it to its end. Returns `null` if another request is running it. */
async function claimRun(work: Work, nonce: string, answers: AnswerValues): Promise<Outcome | null> {
  const { claims } = work.call.state
  const runMs = work.deadline.limitMs + marginMs
  const claim = await claims.claim(nonce, { runMs, expiresAt: Date.now() + roundLifetime })
  if (claim.kind === 'running') return null
  if (claim.kind !== 'yours') return toFound(work, claim)
  const outcome = await runConfirmed(work, answers)
  if (outcome.kind === 'result') await finish(work, nonce, outcome.members)
  return outcome
}

/** Runs what was confirmed: the client's disconnecting does not take that back. */
export async function runConfirmed(work: Work, answers: AnswerValues): Promise<Outcome> {
  const ended = await work.runInTime(answers, 'keep')
  // it may have changed something by then, and the sentence for other tools is an invitation to try again
  return work.stopping === null ? ended : work.refuse(toStoppedText(work))
}

function toStoppedText({ name, deadline }: Work): string {
  return (
    `${name} did not finish within ${deadline.limitMs / 1_000} seconds and was stopped, so how far it ` +
    'came is unknown. Look up what it did before you call it again.'
  )
}

/** Stores the result for repetitions of the call. */
async function finish({ call, name }: Work, nonce: string, members: string): Promise<void> {
  try {
    await call.state.claims.finish(nonce, members)
  } catch (error) {
    // the run succeeded, and the client must not be told that it failed
    call.log.error(`result of ${name}`, error)
  }
}

function toFound(work: Work, claim: FoundRun): Outcome {
  switch (claim.kind) {
    case 'done':
      return { kind: 'result', members: claim.result }
    case 'running':
      return work.refuse(
        `${work.name} is still being run by an earlier request. Wait for its result.`,
      )
    case 'unknown':
      return work.refuse(
        `${work.name} was started by an earlier request that broke off, so how far it came is ` +
          'unknown. It was not run again. Look up what it did before you call it again.',
      )
  }
}
