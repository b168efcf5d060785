import type {
  AnswerRead,
  AskedQuestion,
  AskingCapability,
  Question,
  Questions,
} from '../../define/question.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { toDigest } from '../../util/digest.ts'

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
export type AskFunction = (answers: Readonly<Record<string, unknown>>) => unknown

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
  ask: AskFunction,
  responses: JsonObject,
): Promise<RoundOutcome> {
  return runPass({
    state,
    ask,
    responses,
    accepted: new Map(),
    usedResponses: new Set(),
    unproven: new Set(),
    history: new Map(),
    passes: 1,
  })
}

interface Pass extends MatchContext {
  readonly ask: AskFunction
  readonly history: QuestionHistory
  readonly passes: number
}

async function runPass(pass: Pass): Promise<RoundOutcome> {
  if (pass.passes > maxPasses) throw createEndless()
  const asked = await identifyQuestions(readQuestions(await pass.ask(toAnswers(pass.accepted))))
  const history = checkSameQuestions(pass.history, pass.accepted, asked)
  const matched = await Promise.all(asked.map(async (one) => matchResponse(one, pass)))
  const accepted = new Map(pass.accepted)
  const usedResponses = new Set(pass.usedResponses)
  const unproven = new Set(pass.unproven)
  let changed = false
  for (const { key, digest, response, read, isProven } of matched) {
    if (accepted.get(key)?.digest === digest) continue
    // the question has other words now, which nobody has answered
    changed = accepted.delete(key) || changed
    if (read === null) continue
    if (read.kind === 'declined') return { kind: 'declined', key, action: read.action }
    usedResponses.add(digest)
    if (!isProven) unproven.add(key)
    if (read.kind === 'invalid') continue
    accepted.set(key, { digest, response, answer: read.answer })
    changed = true
  }
  // words that are new to who answered the old ones are heard twice, to see whether they hold
  if (changed || (history.size > pass.history.size && asked.some((one) => isReworded(one, pass)))) {
    return runPass({ ...pass, accepted, usedResponses, unproven, history, passes: pass.passes + 1 })
  }
  const open = asked.filter(({ key }) => !accepted.has(key))
  if (open.length === 0) return { kind: 'settled', answers: toAnswers(accepted) }
  if (pass.state.round >= maxRounds) return { kind: 'too-many-rounds' }
  return {
    kind: 'ask',
    questions: new Map(open.flatMap(({ key, question }) => toAsked(key, question))),
    state: toNextState(pass.state, accepted, open),
  }
}

function isReworded({ key, digest }: IdentifiedQuestion, { state, responses }: Pass): boolean {
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

function toAnswers(
  accepted: ReadonlyMap<string, AcceptedAnswer>,
): Readonly<Record<string, unknown>> {
  // without a prototype, an answer that is not there is never found on Object.prototype
  const answers: Record<string, unknown> = Object.create(null)
  for (const [key, { answer }] of accepted) answers[key] = answer
  return answers
}

/** An answer that counts in this round, with the response that it was read from. */
interface AcceptedAnswer {
  readonly digest: string
  readonly response: unknown
  readonly answer: unknown
}

/** What a round has to go by when it looks for answers. */
interface MatchContext {
  readonly state: RoundState
  readonly responses: JsonObject
  readonly accepted: ReadonlyMap<string, AcceptedAnswer>
  /** Digests of questions whose response was used: an answer that fell does not stand up again. */
  readonly usedResponses: ReadonlySet<string>
  /** Keys whose response was taken without proof: words that change would take it for ever. */
  readonly unproven: ReadonlySet<string>
}

/** A question with what the client said to it. */
interface MatchedResponse extends IdentifiedQuestion {
  readonly response: unknown
  /** `null` where no response counts. */
  readonly read: AnswerRead | null
  /** The response came with our sealed proof that this very question was asked. */
  readonly isProven: boolean
}

/** Finds the response that counts for a question, if there is one, and reads it. */
async function matchResponse(
  one: IdentifiedQuestion,
  context: MatchContext,
): Promise<MatchedResponse> {
  const { state, responses, accepted, usedResponses, unproven } = context
  const { key, digest, question } = one
  const none = { ...one, response: null, read: null, isProven: false }
  if (accepted.get(key)?.digest === digest || usedResponses.has(digest)) return none
  const saved = state.saved.get(key)
  if (saved?.digest === digest) return read(one, saved.response, true)
  // what is carried comes from the sealed state or from nowhere
  if (question.request === null || !Object.hasOwn(responses, key)) return none
  const isProven = state.asked.get(key) === digest
  if (!isProven && (question.unasked === 'ignore' || unproven.has(key))) return none
  return read(one, responses[key], isProven)
}

async function read(
  one: IdentifiedQuestion,
  response: unknown,
  isProven: boolean,
): Promise<MatchedResponse> {
  return { ...one, response, read: await one.question.read(response), isProven }
}

/** A question with what makes it this question and no other. */
interface IdentifiedQuestion {
  readonly key: string
  readonly question: Question<unknown>
  /** Changes with the key and with every word of what the client is asked, and with nothing else. */
  readonly digest: string
}

/** Takes apart what `ask` returned; what is `undefined` is not asked. */
async function identifyQuestions(questions: Questions): Promise<readonly IdentifiedQuestion[]> {
  return Promise.all(
    Object.entries(questions).flatMap(([key, question]) =>
      question === undefined ? [] : [identifyQuestion(key, question)],
    ),
  )
}

/** Tells a value that was carried from a response, by the digest under which it is kept. */
export async function isCarried(key: string, digest: string): Promise<boolean> {
  return digest === (await toDigest([key, null]))
}

async function identifyQuestion(
  key: string,
  question: Question<unknown>,
): Promise<IdentifiedQuestion> {
  return { key, question, digest: await toDigest([key, question.request]) }
}

/** What a call remembers from one round to the next; the client brings it back, sealed. */
export interface RoundState {
  /** How often the client was asked so far. */
  readonly round: number
  /** The same in all rounds of one call, and of no other. */
  readonly nonce: string
  /** The digest of each question that the last round sent, by key. */
  readonly asked: ReadonlyMap<string, string>
  readonly saved: ReadonlyMap<string, SavedResponse>
}

/** A client's response as it came, with the digest of the question that it is for. */
export interface SavedResponse {
  readonly digest: string
  readonly response: unknown
}

/** The state of a call that has not asked anything yet. */
export function createRoundState(nonce: string): RoundState {
  return { round: 0, nonce, asked: new Map(), saved: new Map() }
}

/**
 * The state that goes with the questions that are still open. Kept responses stay even where their
 * question was not reached this time: when it comes up again in the same words, nobody has to answer
 * it twice.
 */
function toNextState(
  state: RoundState,
  accepted: ReadonlyMap<string, SavedResponse>,
  open: readonly IdentifiedQuestion[],
): RoundState {
  const saved = new Map(state.saved)
  for (const [key, { digest, response }] of accepted) saved.set(key, { digest, response })
  const asked = new Map<string, string>()
  for (const { key, digest, question } of open) {
    saved.delete(key)
    if (question.request === null) saved.set(key, { digest, response: question.carried })
    else asked.set(key, digest)
  }
  return { round: state.round + 1, nonce: state.nonce, asked, saved }
}

/** What `ask` asked in one request so far, by the answers that it was given. */
type QuestionHistory = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * Notes the questions that `ask` returned. Given the same answers it has to say the same, or no
 * answer would ever count.
 *
 * @throws {TypeError} when the words of a question changed; the message is for the author.
 */
function checkSameQuestions(
  history: QuestionHistory,
  accepted: ReadonlyMap<string, { readonly digest: string }>,
  asked: readonly IdentifiedQuestion[],
): QuestionHistory {
  const given = Array.from(accepted.values(), ({ digest }) => digest)
    .toSorted()
    .join()
  const before = history.get(given)
  if (before === undefined) {
    return new Map(history).set(given, new Map(asked.map(({ key, digest }) => [key, digest])))
  }
  const changed = asked.find(({ key, digest }) => (before.get(key) ?? digest) !== digest)
  if (changed === undefined) return history
  throw new TypeError(
    `Question "${changed.key}" changes every time \`ask\` runs, so no answer can match it. ` +
      'Keep what changes, such as a token or the time, with carry().',
  )
}

/**
 * Reads what an author's `ask` returned. Whoever writes without types may return anything, and what
 * is not understood must stop the call: taken for "no questions", it would run unconfirmed.
 *
 * @throws {TypeError} for anything but an object of questions; the message is for the author.
 */
export function readQuestions(returned: unknown): Questions {
  if (!isJsonObject(returned)) {
    throw new TypeError(
      `\`ask\` returned ${toKind(returned)}, which is no object of questions. ` +
        'Return one, or {} where nothing is asked.',
    )
  }
  return Object.fromEntries(
    Object.entries(returned).map(([key, question]) => [key, readQuestion(key, question)]),
  )
}

function readQuestion(key: string, value: unknown): Question<unknown> | undefined {
  if (value === undefined || isQuestion(value)) return value
  throw new TypeError(
    `\`ask\` returned ${toKind(value)} under "${key}", which is no question. ` +
      'Make it with form, link, carry, sample or roots, or leave it undefined.',
  )
}

const capabilities: Readonly<Record<AskingCapability, true>> = {
  form: true,
  link: true,
  sample: true,
  roots: true,
}

function isQuestion(value: unknown): value is Question<unknown> {
  if (!isJsonObject(value) || typeof value['read'] !== 'function') return false
  const { request, carried, capability, unasked } = value
  if (request === null) return carried !== undefined
  if (!isJsonObject(request) || typeof request['method'] !== 'string') return false
  const isKnown = typeof capability === 'string' && Object.hasOwn(capabilities, capability)
  return isKnown && (unasked === 'ignore' || unasked === 'accept')
}

function toKind(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Promise) return 'a promise'
  return value === null || value === undefined ? String(value) : `a value of type ${typeof value}`
}
