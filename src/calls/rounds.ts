import type { AnswerRead, AskedQuestion, Question, Questions } from '../define/question.ts'
import type { JsonObject } from '../wire/json.ts'
import { identify, type Identified } from './identified-question.ts'
import { toNextState, type RoundState } from './round-state.ts'

/** What a round comes to. */
export type RoundOutcome =
  | { readonly kind: 'settled'; readonly answers: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'ask'
      /** What to send: only what has no answer yet. It is empty when the state alone goes round. */
      readonly questions: ReadonlyMap<string, AskedQuestion<unknown>>
      readonly state: RoundState
    }
  | { readonly kind: 'declined'; readonly key: string; readonly action: 'decline' | 'cancel' }
  | { readonly kind: 'too-many-rounds' }

/** The author's `ask`, given the answers so far. */
export type Ask = (answers: Readonly<Record<string, unknown>>) => Questions | Promise<Questions>

/** How often a client may be asked in the course of one call. */
export const maxRounds = 8

/** An answer that counts in this round, with the response that it was read from. */
interface Standing {
  readonly digest: string
  readonly response: unknown
  readonly answer: unknown
}

/**
 * Decides what one request of a call comes to (basic/patterns/mrtr, "Server Requirements").
 *
 * A response counts only for a question whose key and words are those that it was given for. The
 * round starts from no answers, so that every kept one is first seen to be still in order, and `ask`
 * runs again with each answer found until it is given exactly the answers that stand: once where it
 * asks nothing, twice where its questions do not depend on one another, and once more for each level
 * of questions that do. A question that is no longer asked keeps its answer, once that was found in
 * order in this round; so `ask` may return all questions each time, or only the next.
 */
export async function settleRound(
  state: RoundState,
  ask: Ask,
  responses: JsonObject,
): Promise<RoundOutcome> {
  return runPass({ state, ask, responses, standing: new Map(), spent: new Set() })
}

interface Pass {
  readonly state: RoundState
  readonly ask: Ask
  readonly responses: JsonObject
  readonly standing: ReadonlyMap<string, Standing>
  /** Digests of questions whose response was used: an answer that fell does not stand up again. */
  readonly spent: ReadonlySet<string>
}

async function runPass(pass: Pass): Promise<RoundOutcome> {
  const asked = await identify(await pass.ask(toAnswers(pass.standing)))
  const reads = await Promise.all(asked.map(async (one) => readAnswer(one, pass)))
  const standing = new Map(pass.standing)
  const spent = new Set(pass.spent)
  let changed = false
  for (const { key, digest, response, read } of reads) {
    if (standing.get(key)?.digest === digest) continue
    // the question has other words now, which nobody has answered
    changed = standing.delete(key) || changed
    if (read === null) continue
    if (read.kind === 'declined') return { kind: 'declined', key, action: read.action }
    spent.add(digest)
    if (read.kind === 'invalid') continue
    standing.set(key, { digest, response, answer: read.answer })
    changed = true
  }
  if (changed) return runPass({ ...pass, standing, spent })
  const open = asked.filter(({ key }) => !standing.has(key))
  if (open.length === 0) return { kind: 'settled', answers: toAnswers(standing) }
  if (pass.state.round >= maxRounds) return { kind: 'too-many-rounds' }
  return {
    kind: 'ask',
    questions: new Map(open.flatMap(({ key, question }) => toAsked(key, question))),
    state: toNextState(pass.state, standing, open),
  }
}

interface Heard extends Identified {
  readonly response: unknown
  /** `null` where no response counts. */
  readonly read: AnswerRead | null
}

/** Finds the response that counts for a question, if there is one, and reads it. */
async function readAnswer(one: Identified, pass: Pass): Promise<Heard> {
  const { state, responses, standing, spent } = pass
  const { key, digest, question } = one
  const none = { ...one, response: null, read: null }
  if (standing.get(key)?.digest === digest || spent.has(digest)) return none
  const kept = state.kept.get(key)
  if (kept?.digest === digest) {
    return { ...one, response: kept.response, read: await question.read(kept.response) }
  }
  // what is carried comes from the sealed state or from nowhere
  if (question.request === null || !Object.hasOwn(responses, key)) return none
  const proven = state.asked.get(key) === digest
  if (!proven && question.unasked === 'ignore') return none
  return { ...one, response: responses[key], read: await question.read(responses[key]) }
}

function toAsked(
  key: string,
  question: Question<unknown>,
): readonly (readonly [string, AskedQuestion<unknown>])[] {
  return question.request === null ? [] : [[key, question]]
}

function toAnswers(standing: ReadonlyMap<string, Standing>): Readonly<Record<string, unknown>> {
  // without a prototype, an answer that is not there is never found on Object.prototype
  const answers: Record<string, unknown> = Object.create(null)
  for (const [key, { answer }] of standing) answers[key] = answer
  return answers
}
