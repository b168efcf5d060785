import type { AskedQuestion } from '../../define/question.ts'
import type { Abilities } from '../../define/running.ts'
import { isJsonObject } from '../../wire/json.ts'
import { fail, toMembers, type Outcome } from '../../wire/outcome.ts'
import { findMissing } from './abilities.ts'
import type { Call, CallSettings } from '../call.ts'
import { openState, sealState, toBound } from './request-state.ts'
import { createRoundState, type RoundState } from './round-state.ts'
import { maxRounds, settleRound, type Ask, type RoundOutcome } from './rounds.ts'
import { checkSize } from '../results/size-limit.ts'
import { explainTooLong } from './too-long.ts'

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
export type RoundsRead =
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
