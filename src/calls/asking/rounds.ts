import type { AskedQuestion, Question } from '../../define/question.ts'
import { readQuestions } from '../../define/read-questions.ts'
import type { JsonObject } from '../../wire/json.ts'
import { hear, type Hearing, type Standing } from './hear.ts'
import { identify, type Identified } from './identified-question.ts'
import { toNextState, type RoundState } from './round-state.ts'
import { checkWords, type Words } from './check-words.ts'

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

/** The author's `ask`, given the answers so far. What it returns is read before it is believed. */
export type Ask = (answers: Readonly<Record<string, unknown>>) => unknown

/** How often a client may be asked in the course of one call. */
export const maxRounds = 8

/** How often `ask` may run in one round: answers that need no question could lead on for ever. */
export const maxPasses = 32

/**
 * Decides what one request of a call comes to (basic/patterns/mrtr, "Server Requirements").
 *
 * A response counts only for a question whose key and words are those that it was given for. The
 * round starts from no answers, so that every kept one is first seen to be still in order, and `ask`
 * runs again with each answer found until it is given exactly the answers that stand: once where it
 * asks nothing, twice where its questions do not depend on one another, and once more for each level
 * of questions that do. A question that is no longer asked keeps its answer, once that was found in
 * order in this round; so `ask` may return all questions each time, or only the next.
 *
 * @throws {TypeError} when `ask` returns no questions, words them anew each time, or goes on after
 *   {@link maxPasses} runs; the message is for the author.
 */
export async function settleRound(
  state: RoundState,
  ask: Ask,
  responses: JsonObject,
): Promise<RoundOutcome> {
  return runPass({
    state,
    ask,
    responses,
    standing: new Map(),
    spent: new Set(),
    volunteered: new Set(),
    words: new Map(),
    passes: 1,
  })
}

interface Pass extends Hearing {
  readonly ask: Ask
  readonly words: Words
  readonly passes: number
}

async function runPass(pass: Pass): Promise<RoundOutcome> {
  if (pass.passes > maxPasses) throw createEndless()
  const asked = await identify(readQuestions(await pass.ask(toAnswers(pass.standing))))
  const words = checkWords(pass.words, pass.standing, asked)
  const heard = await Promise.all(asked.map(async (one) => hear(one, pass)))
  const standing = new Map(pass.standing)
  const spent = new Set(pass.spent)
  const volunteered = new Set(pass.volunteered)
  let changed = false
  for (const { key, digest, response, read, isProven } of heard) {
    if (standing.get(key)?.digest === digest) continue
    // the question has other words now, which nobody has answered
    changed = standing.delete(key) || changed
    if (read === null) continue
    if (read.kind === 'declined') return { kind: 'declined', key, action: read.action }
    spent.add(digest)
    if (!isProven) volunteered.add(key)
    if (read.kind === 'invalid') continue
    standing.set(key, { digest, response, answer: read.answer })
    changed = true
  }
  // words that are new to who answered the old ones are heard twice, to see whether they hold
  if (changed || (words.size > pass.words.size && asked.some((one) => isReworded(one, pass)))) {
    return runPass({ ...pass, standing, spent, volunteered, words, passes: pass.passes + 1 })
  }
  const open = asked.filter(({ key }) => !standing.has(key))
  if (open.length === 0) return { kind: 'settled', answers: toAnswers(standing) }
  if (pass.state.round >= maxRounds) return { kind: 'too-many-rounds' }
  return {
    kind: 'ask',
    questions: new Map(open.flatMap(({ key, question }) => toAsked(key, question))),
    state: toNextState(pass.state, standing, open),
  }
}

function isReworded({ key, digest }: Identified, { state, responses }: Pass): boolean {
  return Object.hasOwn(responses, key) && (state.asked.get(key) ?? digest) !== digest
}

function createEndless(): TypeError {
  return new TypeError(
    `\`ask\` found new answers ${maxPasses} times in one request and asks on. Ask in fewer steps.`,
  )
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
