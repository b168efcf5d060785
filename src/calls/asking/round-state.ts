import type { Identified } from './identified-question.ts'

/** What a call remembers from one round to the next; the client brings it back, sealed. */
export interface RoundState {
  /** How often the client was asked so far. */
  readonly round: number
  /** The same in all rounds of one call, and of no other. */
  readonly nonce: string
  /** The digest of each question that the last round sent, by key. */
  readonly asked: ReadonlyMap<string, string>
  readonly kept: ReadonlyMap<string, KeptResponse>
}

/** A client's response as it came, with the digest of the question that it is for. */
export interface KeptResponse {
  readonly digest: string
  readonly response: unknown
}

/** The state of a call that has not asked anything yet. */
export function createRoundState(nonce: string): RoundState {
  return { round: 0, nonce, asked: new Map(), kept: new Map() }
}

/**
 * The state that goes with the questions that are still open. Kept responses stay even where their
 * question was not reached this time: when it comes up again in the same words, nobody has to answer
 * it twice.
 */
export function toNextState(
  state: RoundState,
  standing: ReadonlyMap<string, KeptResponse>,
  open: readonly Identified[],
): RoundState {
  const kept = new Map(state.kept)
  for (const [key, { digest, response }] of standing) kept.set(key, { digest, response })
  const asked = new Map<string, string>()
  for (const { key, digest, question } of open) {
    kept.delete(key)
    if (question.request === null) kept.set(key, { digest, response: question.carried })
    else asked.set(key, digest)
  }
  return { round: state.round + 1, nonce: state.nonce, asked, kept }
}
