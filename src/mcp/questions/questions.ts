import type { Abilities } from '../../define/contexts.ts'
import type { AskedQuestion, AskingCapability } from '../../define/question.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { type Outcome, fail, toMembers } from '../../protocol/outcome.ts'
import { checkSize } from '../result-size.ts'
import type { AnswerValues, Work } from '../work.ts'
import { explainTooLong, openRoundState, sealRoundState, toBound } from './request-state.ts'
import {
  type RoundOutcome,
  type RoundState,
  createRoundState,
  maxRounds,
  settleRound,
} from './rounds.ts'
import { excerpt } from '../../util/excerpt.ts'

export type AskResult =
  | { readonly kind: 'settled'; readonly answers: AnswerValues }
  /** The client must answer questions, or its request is invalid. */
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  /** The call cannot continue; `why` is for the model or the user. */
  | { readonly kind: 'stopped'; readonly why: string }

export interface Rounds {
  readonly kind: 'rounds'
  readonly state: RoundState
  /** The client sent a state that this server sealed. */
  readonly isRetry: boolean
}

/**
 * Opens the state that the client returned (basic/patterns/mrtr, "Server Requirements"). Every flaw
 * has the same reply: the exact reason would only help a forger.
 */
export async function readRounds(work: Work): Promise<Rounds | ReturnType<typeof fail>> {
  const { call } = work
  const { requestState, inputResponses = {} } = call.params
  if (!isJsonObject(inputResponses)) {
    return invalid(
      'params.inputResponses must be an object: a response for each key that was asked.',
    )
  }
  if (requestState === undefined) {
    const nonce = work.runsOnce ? call.state.claims.createNonce() : crypto.randomUUID()
    return { kind: 'rounds', state: createRoundState(nonce), isRetry: false }
  }
  const sealer = await call.state.sealer()
  const state =
    typeof requestState === 'string'
      ? await openRoundState(sealer, requestState, await toBoundOf(work), Date.now())
      : null
  if (state === null) {
    return fail({
      kind: 'invalid-params',
      why: 'Invalid or expired requestState.',
      advice: 'Send the request again without it.',
    })
  }
  return { kind: 'rounds', state, isRetry: true }
}

/**
 * Continues the questions of a call with one more round (basic/patterns/mrtr).
 *
 * @throws {TypeError} when the author's `ask` is invalid; see {@link settleRound}.
 * @throws {ToolError} when the questions are longer than a result may be.
 */
export async function askQuestions(work: Work, { state }: Rounds): Promise<AskResult> {
  const { inputResponses } = work.call.params
  const can = toAbilities(work.call.envelope.clientCapabilities)
  const responses = isJsonObject(inputResponses) ? inputResponses : {}
  const round = await runRound(work, can, state, responses)
  return round.kind === 'ask' ? requestInput(work, can, round) : round
}

export type AskRound = RoundOutcome & { readonly kind: 'ask' }

/**
 * Runs one round within the time limit of the work.
 *
 * @throws {TypeError} when the author's `ask` is invalid; see {@link settleRound}.
 */
export async function runRound(
  work: Work,
  can: Abilities,
  state: RoundState,
  responses: JsonObject,
): Promise<AskResult | AskRound> {
  const settling = settleRound(state, (answers) => work.ask(answers, can), responses)
  const round = await work.deadline.within(settling)
  switch (round.kind) {
    case 'settled':
    case 'ask':
      return round
    case 'declined':
      return { kind: 'stopped', why: toDeclined(work.name, round.key, round.action) }
    case 'too-many-rounds':
      return {
        kind: 'stopped',
        why:
          `${excerpt(work.name)} was not run: after ${maxRounds} rounds of questions an answer is still missing ` +
          `or invalid. ${round.problems.join(' ')} Call it again to ask the user anew.`,
      }
  }
}

async function requestInput(
  work: Work,
  can: Abilities,
  { questions, state }: AskRound,
): Promise<AskResult> {
  const { call, name } = work
  const missing = findMissing(questions.values(), can)
  if (missing !== null) {
    return { kind: 'ended', outcome: fail({ kind: 'missing-capability', missing }) }
  }
  const sealer = await call.state.sealer()
  const sealed = await sealRoundState(sealer, state, await toBoundOf(work), Date.now())
  if (sealed.kind === 'too-large') {
    return { kind: 'stopped', why: await explainTooLong(work, state) }
  }
  const { requestState } = sealed
  const printed = toMembers({ ...toInputRequests(questions), requestState })
  const members = checkSize(`What ${excerpt(name)} asks`, printed, call.settings.maxResultBytes)
  return { kind: 'ended', outcome: { kind: 'input-required', members } }
}

function toInputRequests(questions: ReadonlyMap<string, AskedQuestion<unknown>>): object {
  if (questions.size === 0) return {}
  const requests = [...questions].map(([key, { request }]) => [key, request])
  return { inputRequests: Object.fromEntries(requests) }
}

function toBoundOf({ call, name, input }: Work): Promise<string> {
  const { name: server } = call.settings.serverInfo
  return toBound({ server, method: call.method, name, input, caller: call.callerDigest ?? '' })
}

function toDeclined(name: string, key: string, action: 'decline' | 'cancel'): string {
  return action === 'decline'
    ? `The user declined to answer "${key}", so ${excerpt(name)} was not run.`
    : `The user closed the question "${key}" without an answer, so ${excerpt(name)} was not run.`
}

function invalid(why: string): ReturnType<typeof fail> {
  return fail({ kind: 'invalid-params', why })
}

/**
 * The client capability that each kind of question needs (basic/index, "_meta";
 * client/elicitation).
 */
const declared: Readonly<Record<AskingCapability, Readonly<Record<string, JsonObject>>>> = {
  form: { elicitation: { form: {} } },
  link: { elicitation: { url: {} } },
  sample: { sampling: {} },
  sampleTools: { sampling: { tools: {} } },
  sampleContext: { sampling: { context: {} } },
  roots: { roots: {} },
}

/** Reads which questions a client can answer. Elicitation without a mode means forms. */
export function toAbilities({ elicitation, sampling, roots }: JsonObject): Abilities {
  const modes = isJsonObject(elicitation) ? elicitation : null
  return {
    form: modes !== null && ('form' in modes || !('url' in modes)),
    link: modes !== null && 'url' in modes,
    sample: isJsonObject(sampling),
    sampleTools: isJsonObject(sampling) && 'tools' in sampling,
    sampleContext: isJsonObject(sampling) && 'context' in sampling,
    roots: isJsonObject(roots),
  }
}

/** Returns the capabilities that these questions need and the client lacks; `null` if it has all. */
export function findMissing(
  questions: Iterable<AskedQuestion<unknown>>,
  can: Abilities,
): JsonObject | null {
  const missing = [...questions]
    .flatMap(({ capability, needs = [] }) => [capability, ...needs])
    .filter((one) => !can[one])
  if (missing.length === 0) return null
  const merged: Record<string, JsonObject> = {}
  for (const one of missing) {
    for (const [name, members] of Object.entries(declared[one])) {
      merged[name] = { ...merged[name], ...members }
    }
  }
  return merged
}
