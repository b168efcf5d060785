import type { AnswerRead } from '../../define/question.ts'
import type { JsonObject } from '../../wire/json.ts'
import type { Identified } from './identified-question.ts'
import type { RoundState } from './round-state.ts'

/** An answer that counts in this round, with the response that it was read from. */
export interface Standing {
  readonly digest: string
  readonly response: unknown
  readonly answer: unknown
}

/** What a round has to go by when it looks for answers. */
export interface Hearing {
  readonly state: RoundState
  readonly responses: JsonObject
  readonly standing: ReadonlyMap<string, Standing>
  /** Digests of questions whose response was used: an answer that fell does not stand up again. */
  readonly spent: ReadonlySet<string>
  /** Keys whose response was taken without proof: words that change would take it for ever. */
  readonly volunteered: ReadonlySet<string>
}

/** A question with what the client said to it. */
export interface Heard extends Identified {
  readonly response: unknown
  /** `null` where no response counts. */
  readonly read: AnswerRead | null
  /** The response came with our sealed proof that this very question was asked. */
  readonly isProven: boolean
}

/** Finds the response that counts for a question, if there is one, and reads it. */
export async function hear(one: Identified, hearing: Hearing): Promise<Heard> {
  const { state, responses, standing, spent, volunteered } = hearing
  const { key, digest, question } = one
  const none = { ...one, response: null, read: null, isProven: false }
  if (standing.get(key)?.digest === digest || spent.has(digest)) return none
  const kept = state.kept.get(key)
  if (kept?.digest === digest) return read(one, kept.response, true)
  // what is carried comes from the sealed state or from nowhere
  if (question.request === null || !Object.hasOwn(responses, key)) return none
  const isProven = state.asked.get(key) === digest
  if (!isProven && (question.unasked === 'ignore' || volunteered.has(key))) return none
  return read(one, responses[key], isProven)
}

async function read(one: Identified, response: unknown, isProven: boolean): Promise<Heard> {
  return { ...one, response, read: await one.question.read(response), isProven }
}
