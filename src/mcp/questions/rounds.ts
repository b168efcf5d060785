import type {
  AnswerRead,
  AskedQuestion,
  AskingCapability,
  Question,
  Questions,
} from '../../define/question.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { toDigest } from '../../util/digest.ts'

export type RoundOutcome =
  | { readonly kind: 'settled'; readonly answers: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'ask'
      /** The questions without an answer. Empty when only the state is sent. */
      readonly questions: ReadonlyMap<string, AskedQuestion<unknown>>
      readonly state: RoundState
    }
  | { readonly kind: 'declined'; readonly key: string; readonly action: 'decline' | 'cancel' }
  /** `problems` says, for each open question, why it has no answer. */
  | { readonly kind: 'too-many-rounds'; readonly problems: readonly string[] }

/** The author's `ask`, whose return value is not checked yet. */
export type AskFunction = (answers: Readonly<Record<string, unknown>>) => unknown

export const maxRounds = 8

/** How often `ask` may run in one round: questions that need no request could continue for ever. */
export const maxPasses = 32

/**
 * Runs one round of a call (basic/patterns/mrtr, "Server Requirements").
 *
 * A response counts only for a question with the key and the text for which it was given. Each
 * round starts without answers, so that every saved response is checked again. `ask` runs again
 * with each answer found, until it gets exactly the answers that are accepted: once if it asks
 * nothing, twice if its questions are independent, and once more for each level of questions that
 * depend on others. A question that is not asked any more keeps its answer if the answer was
 * accepted earlier in this round, so `ask` may return all questions each time, or only the next
 * one.
 *
 * @throws {TypeError} when `ask` returns something else, changes a question each time, or continues
 *   after {@link maxPasses} runs; the message is for the author.
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
    refused: new Map(),
    history: new Map(),
    passes: 1,
  })
}

interface Pass extends MatchContext {
  readonly ask: AskFunction
  /** Why the response to a question was refused, by the digest of the question. */
  readonly refused: ReadonlyMap<string, string>
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
  const refused = new Map(pass.refused)
  let changed = false
  for (const { key, digest, response, read, isProven } of matched) {
    if (accepted.get(key)?.digest === digest) continue
    // the text of the question has changed, so its earlier answer does not count
    changed = accepted.delete(key) || changed
    if (read === null) continue
    if (read.kind === 'declined') return { kind: 'declined', key, action: read.action }
    usedResponses.add(digest)
    if (!isProven) unproven.add(key)
    if (read.kind === 'invalid') {
      if (read.why !== undefined) refused.set(digest, read.why)
      continue
    }
    accepted.set(key, { digest, response, answer: read.answer })
    changed = true
  }
  // a changed question with a response is read twice, to see whether its text changes each time
  if (changed || (history.size > pass.history.size && asked.some((one) => isReworded(one, pass)))) {
    const passes = pass.passes + 1
    return runPass({ ...pass, accepted, usedResponses, unproven, refused, history, passes })
  }
  const open = asked.filter(({ key }) => !accepted.has(key))
  if (open.length === 0) return { kind: 'settled', answers: toAnswers(accepted) }
  if (pass.state.round >= maxRounds) {
    const problems = open.map(
      ({ key, digest }) => refused.get(digest) ?? `"${key}" has no valid answer.`,
    )
    return { kind: 'too-many-rounds', problems }
  }
  return {
    kind: 'ask',
    questions: new Map(
      open.flatMap(({ key, digest, question }) => toAsked(key, question, refused.get(digest))),
    ),
    state: toNextState(pass.state, accepted, open),
  }
}

function isReworded({ key, digest }: IdentifiedQuestion, { state, responses }: Pass): boolean {
  return Object.hasOwn(responses, key) && (state.asked.get(key) ?? digest) !== digest
}

function createEndless(): TypeError {
  return new TypeError(
    `\`ask\` found new answers ${maxPasses} times in one request and still asks for more. Ask in fewer steps.`,
  )
}

/** The reason is not part of the question's digest, so that earlier answers to others still count. */
function toAsked(
  key: string,
  question: Question<unknown>,
  refused: string | undefined,
): readonly (readonly [string, AskedQuestion<unknown>])[] {
  if (question.request === null) return []
  const { request } = question
  if (refused === undefined || request.method !== 'elicitation/create') return [[key, question]]
  const message = `${request.params.message}\n\nThe last answer was not accepted. ${refused}`
  return [[key, { ...question, request: { ...request, params: { ...request.params, message } } }]]
}

function toAnswers(
  accepted: ReadonlyMap<string, AcceptedAnswer>,
): Readonly<Record<string, unknown>> {
  // without a prototype, so that no name finds a member of Object.prototype
  const answers: Record<string, unknown> = Object.create(null)
  for (const [key, { answer }] of accepted) answers[key] = answer
  return answers
}

interface AcceptedAnswer {
  readonly digest: string
  readonly response: unknown
  readonly answer: unknown
}

/** What decides whether a response counts. */
interface MatchContext {
  readonly state: RoundState
  readonly responses: JsonObject
  readonly accepted: ReadonlyMap<string, AcceptedAnswer>
  /** Digests of questions whose response was already used. An invalidated answer is not reinstated. */
  readonly usedResponses: ReadonlySet<string>
  /**
   * Keys whose response was accepted without proof, which happens once: a question that changes
   * each time would accept it for ever.
   */
  readonly unproven: ReadonlySet<string>
}

interface MatchedResponse extends IdentifiedQuestion {
  readonly response: unknown
  /** `null` if no response counts. */
  readonly read: AnswerRead | null
  /** The sealed state proves that exactly this question was asked. */
  readonly isProven: boolean
}

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
  // a carried value comes only from the sealed state
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

interface IdentifiedQuestion {
  readonly key: string
  readonly question: Question<unknown>
  /** The digest of the key and of the request to the client. */
  readonly digest: string
}

/** Adds digests to questions. `undefined` is not asked. */
async function identifyQuestions(questions: Questions): Promise<readonly IdentifiedQuestion[]> {
  return Promise.all(
    Object.entries(questions).flatMap(([key, question]) =>
      question === undefined ? [] : [identifyQuestion(key, question)],
    ),
  )
}

/** Returns whether a saved response is a carried value, whose digest has no request. */
export async function isCarried(key: string, digest: string): Promise<boolean> {
  return digest === (await toDigest([key, null]))
}

async function identifyQuestion(
  key: string,
  question: Question<unknown>,
): Promise<IdentifiedQuestion> {
  return { key, question, digest: await toDigest([key, question.request]) }
}

/** What a call remembers between rounds. The client returns it, sealed. */
export interface RoundState {
  readonly round: number
  /** Unique to the call, and the same in all its rounds. */
  readonly nonce: string
  /** The digest of each question of the last round, by key. */
  readonly asked: ReadonlyMap<string, string>
  readonly saved: ReadonlyMap<string, SavedResponse>
}

/** A client's unchecked response, with the digest of its question. */
export interface SavedResponse {
  readonly digest: string
  readonly response: unknown
}

export function createRoundState(nonce: string): RoundState {
  return { round: 0, nonce, asked: new Map(), saved: new Map() }
}

/**
 * Returns the state for the questions that are still open. A saved response stays even if its
 * question was not reached this time: if the same question comes up again, the user need not answer
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

/** The digests of the questions that `ask` returned, by the answers that it got. */
type QuestionHistory = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * Records the questions that `ask` returned. With the same answers it must return the same
 * questions, or no answer could ever count.
 *
 * @throws {TypeError} when a question changed; the message is for the author.
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
 * Checks the return value of `ask`. Authors without types may return anything, and an unknown value
 * must stop the call: treated as "no questions", it would run unconfirmed.
 *
 * @throws {TypeError} for anything but an object of questions; the message is for the author.
 */
export function readQuestions(returned: unknown): Questions {
  if (!isJsonObject(returned)) {
    throw new TypeError(
      `\`ask\` returned ${toKind(returned)}, which is not an object of questions. ` +
        'Return one, or {} to ask nothing.',
    )
  }
  return Object.fromEntries(
    Object.entries(returned).map(([key, question]) => [key, readQuestion(key, question)]),
  )
}

function readQuestion(key: string, value: unknown): Question<unknown> | undefined {
  if (value === undefined || isQuestion(value)) return value
  throw new TypeError(
    `\`ask\` returned ${toKind(value)} under "${key}", which is not a question. ` +
      'Create it with form, link, carry, sample or roots, or leave it undefined.',
  )
}

const capabilities: Readonly<Record<AskingCapability, true>> = {
  form: true,
  link: true,
  sample: true,
  sampleTools: true,
  sampleContext: true,
  roots: true,
}

function isQuestion(value: unknown): value is Question<unknown> {
  if (!isJsonObject(value) || typeof value['read'] !== 'function') return false
  const { request, carried, capability, needs = [], unasked } = value
  if (request === null) return carried !== undefined
  if (!isJsonObject(request) || typeof request['method'] !== 'string') return false
  const all = [capability].concat(needs)
  const isKnown = all.every((one) => typeof one === 'string' && Object.hasOwn(capabilities, one))
  return isKnown && (unasked === 'ignore' || unasked === 'accept')
}

function toKind(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Promise) return 'a promise'
  return value === null || value === undefined ? String(value) : `a value of type ${typeof value}`
}
