import type { Abilities, QuestionContext } from '../../define/contexts.ts'
import type { AskedQuestion, AskingCapability } from '../../define/question.ts'
import { type JsonObject, isJsonObject } from '../../protocol/json.ts'
import { type Outcome, fail, toMembers } from '../../protocol/outcome.ts'
import type { Call, CallSettings } from '../checked-call.ts'
import { checkSize } from '../tool-result.ts'
import { explainTooLong, openState, sealState, toBound } from './request-state.ts'
import {
  type Ask,
  type RoundOutcome,
  type RoundState,
  createRoundState,
  maxRounds,
  settleRound,
} from './rounds.ts'

/** What the questions of a call come to. */
export type Asked =
  /** Everything is answered. */
  | { readonly kind: 'settled'; readonly answers: Readonly<Record<string, unknown>> }
  /** The client has to come again, or did not come as it should. */
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  /** There will be no answer; `why` is for the model or the user. */
  | { readonly kind: 'stopped'; readonly why: string }

/** The rounds of a call so far. */
export interface Rounds {
  readonly state: RoundState
  /** The client came again with a state of ours. */
  readonly isRetry: boolean
}

/** The rounds as the client brought them back, or what was wrong with them. */
type RoundsRead =
  | (Rounds & { readonly ok: true })
  | { readonly ok: false; readonly outcome: Outcome }

/**
 * Opens the state that the client brought back (basic/patterns/mrtr, "Server Requirements"). Every
 * flaw of it gives the same answer: which one it was would help nobody but a forger.
 */
export async function readRounds(
  call: Call,
  settings: CallSettings,
  createNonce: (() => string) | null,
): Promise<RoundsRead> {
  const { requestState, inputResponses = {} } = call.params
  if (!isJsonObject(inputResponses)) {
    return invalid(
      'params.inputResponses must be an object: a response for each key that was asked.',
    )
  }
  if (requestState === undefined) {
    return { ok: true, state: createRoundState(createNonce?.() ?? ''), isRetry: false }
  }
  const sealer = await settings.openState(call.exchange).sealer()
  const state =
    typeof requestState === 'string'
      ? await openState(sealer, requestState, await toBoundOf(call), Date.now())
      : null
  if (state === null) {
    return invalid('Invalid or expired requestState. Send the request again without it.')
  }
  return { ok: true, state, isRetry: true }
}

/**
 * Takes the questions of a call one round further (basic/patterns/mrtr).
 *
 * @throws {TypeError} when the author's `ask` cannot be followed; see {@link settleRound}.
 * @throws {ToolError} when the questions are longer than a result may be.
 */
export async function askQuestions(
  call: Call,
  settings: CallSettings,
  state: RoundState,
  can: Abilities,
  ask: Ask,
): Promise<Asked> {
  const { inputResponses } = call.params
  const round = await settleRound(state, ask, isJsonObject(inputResponses) ? inputResponses : {})
  switch (round.kind) {
    case 'settled':
      return round
    case 'declined':
      return { kind: 'stopped', why: toDeclined(call.name, round.key, round.action) }
    case 'too-many-rounds':
      return { kind: 'stopped', why: `${call.name} was ended: it had asked ${maxRounds} times.` }
    case 'ask':
      return requestInput(call, settings, can, round)
  }
}

async function requestInput(
  call: Call,
  settings: CallSettings,
  can: Abilities,
  { questions, state }: RoundOutcome & { readonly kind: 'ask' },
): Promise<Asked> {
  const missing = findMissing(questions.values(), can)
  if (missing !== null) {
    return { kind: 'ended', outcome: fail({ kind: 'missing-capability', missing }) }
  }
  const sealer = await settings.openState(call.exchange).sealer()
  const sealed = await sealState(sealer, state, await toBoundOf(call), Date.now())
  if (sealed.kind === 'too-large') {
    return { kind: 'stopped', why: await explainTooLong(call, state) }
  }
  const { requestState } = sealed
  const printed = toMembers({ ...toInputRequests(questions), requestState })
  const members = checkSize(`What ${call.name} asks`, printed, settings.maxResultBytes)
  return { kind: 'ended', outcome: { kind: 'input-required', members } }
}

function toInputRequests(questions: ReadonlyMap<string, AskedQuestion<unknown>>): object {
  if (questions.size === 0) return {}
  const requests = [...questions].map(([key, { request }]) => [key, request])
  return { inputRequests: Object.fromEntries(requests) }
}

function toBoundOf({ method, name, input, exchange }: Call): Promise<string> {
  return toBound({ method, name, input, caller: exchange.callerDigest ?? '' })
}

function toDeclined(name: string, key: string, action: 'decline' | 'cancel'): string {
  return action === 'decline'
    ? `The user declined to answer "${key}", so ${name} was not run.`
    : `The user closed the question "${key}" without an answer, so ${name} was not run.`
}

function invalid(why: string): RoundsRead {
  return { ok: false, outcome: fail({ kind: 'invalid-params', why }) }
}

type Answers = Readonly<Record<string, unknown>>

/**
 * Asks what a prompt or a resource wants to know, and goes on when everything is answered. Nothing
 * is changed by either, so that neither has to be run once (basic/patterns/mrtr).
 */
export async function askFirst(
  call: Call,
  settings: CallSettings,
  ask: ((deciding: QuestionContext) => unknown) | undefined,
  goOn: (answers: Answers) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  if (ask === undefined && call.params['requestState'] === undefined) return goOn({})
  const rounds = await readRounds(call, settings, null)
  if (!rounds.ok) return rounds.outcome
  const can = toAbilities(call.envelope.clientCapabilities)
  const asked = await askQuestions(call, settings, rounds.state, can, (answers) =>
    ask === undefined ? {} : ask({ answers, can }),
  )
  switch (asked.kind) {
    case 'settled':
      return goOn(asked.answers)
    case 'ended':
      return asked.outcome
    case 'stopped':
      return fail({ kind: 'failed', why: asked.why })
  }
}

/** Each capability as the wire spells it (basic/index, "_meta"; client/elicitation). */
const declared: Readonly<Record<AskingCapability, JsonObject>> = {
  form: { elicitation: { form: {} } },
  link: { elicitation: { url: {} } },
  sample: { sampling: {} },
  roots: { roots: {} },
}

/** Reads which questions a client can answer. An elicitation that names no mode means forms. */
export function toAbilities({ elicitation, sampling, roots }: JsonObject): Abilities {
  const modes = isJsonObject(elicitation) ? elicitation : null
  return {
    form: modes !== null && ('form' in modes || !('url' in modes)),
    link: modes !== null && 'url' in modes,
    sample: isJsonObject(sampling),
    roots: isJsonObject(roots),
  }
}

/** The capabilities that these questions need and the client lacks, or `null` where it has all. */
function findMissing(
  questions: Iterable<AskedQuestion<unknown>>,
  can: Abilities,
): JsonObject | null {
  const missing = [...questions].map(({ capability }) => capability).filter((one) => !can[one])
  if (missing.length === 0) return null
  const elicitation = Object.assign({}, ...missing.map((one) => declared[one]['elicitation'] ?? {}))
  const others = Object.assign({}, ...missing.map((one) => declared[one]))
  return 'elicitation' in others ? { ...others, elicitation } : others
}
