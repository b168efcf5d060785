import type { Outcome } from '../protocol/outcome.ts'
import type { RunClaimStatus } from '../objects/stored-claim.ts'
import { type AskResult, type Rounds, askQuestions } from './questions/questions.ts'
import { roundLifetime } from './questions/request-state.ts'
import type { AnswerValues, Work } from './work.ts'

/** How much longer than its time limit a run may take before its claim counts as cut off. */
const marginMs = 5_000

/**
 * Continues a call that has asked questions and must run once, however often its last round is sent.
 * Another request may have run it by now, which settles it whatever is asked this time.
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
  // the run may have ended what the questions are about: a basket that is paid for is gone
  const claim = await work.call.state.claims.look(nonce)
  const ran = claim === null ? null : toFound(work, claim)
  if (ran !== null) return ran
  if (asked.status === 'rejected') throw asked.reason
  return conclude(work, asked.value)
}

/**
 * Runs a call once: whoever sends it again gets the result of the one run. A run that was cut off is
 * never begun a second time, as nothing can tell what it had done by then.
 */
async function runOnce(work: Work, nonce: string, answers: AnswerValues): Promise<Outcome> {
  const { claims } = work.call.state
  const runMs = work.deadline.limitMs + marginMs
  const found = toFound(
    work,
    await claims.claim(nonce, { runMs, expiresAt: Date.now() + roundLifetime }),
  )
  if (found !== null) return found
  const outcome = await work.runInTime(answers)
  if (outcome.kind === 'result') await finish(work, nonce, outcome.members)
  return outcome
}

/** Keeps the result for whoever sends the call again. */
async function finish({ call, name }: Work, nonce: string, members: string): Promise<void> {
  try {
    await call.state.claims.finish(nonce, members)
  } catch (error) {
    // it ran, and whoever waits for it must not be told that it failed
    call.log.error(`result of ${name}`, error)
  }
}

function toFound(work: Work, claim: RunClaimStatus): Outcome | null {
  switch (claim.kind) {
    case 'yours':
      return null
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
