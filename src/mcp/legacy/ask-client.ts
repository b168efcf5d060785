import type { Abilities } from '../../define/contexts.ts'
import { type Caller, hasScopes } from '../../protocol/caller.ts'
import { toCapabilityNames } from '../../protocol/failure.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Outcome } from '../../protocol/outcome.ts'
import type { Revision } from '../../protocol/revisions/revision.ts'
import { type BridgeNamespace, findBridgeNamespace } from '../../state/bridge.ts'
import type { Call } from '../call.ts'
import { toClientGone } from '../deadline.ts'
import { runConfirmed } from '../once.ts'
import {
  type AskResult,
  type AskRound,
  findMissing,
  runRound,
  toAbilities,
} from '../questions/questions.ts'
import type { RoundState } from '../questions/rounds.ts'
import { takePlace } from '../tool-limits.ts'
import { toVisibility } from '../visibility.ts'
import type { Work } from '../work.ts'
import { excerpt } from '../../util/excerpt.ts'
import { stopIfCancelled } from './cancellation.ts'
import { type Exchanged, exchange } from './exchange.ts'

/** Milliseconds that a user has for the questions of one round. */
export const answerMs = 300_000

/**
 * Asks the questions of the work within this request, and runs it when all are answered. The rounds,
 * their checks and their sentences are those of revision 2026-07-28. Their state stays in memory,
 * because clients of earlier revisions cannot send a request again with answers.
 *
 * @throws {ClientGone} when the client disconnects, or cancels the call before it runs, or ends its
 * session while a question is open.
 */
export async function askClient(
  work: Work,
  revision: Revision,
  state: RoundState,
  conclude: (work: Work, asked: AskResult) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  const bridge = findBridge(work.call)
  const can = toAbilities(bridge.kind === 'none' ? {} : work.call.envelope.clientCapabilities)
  let isAsked = false
  let asked = await runRound(work, can, state, {})
  while (asked.kind === 'ask') {
    const copied = copyState(asked.state)
    let responses: JsonObject = {}
    if (asked.questions.size > 0) {
      if (bridge.kind === 'none')
        return work.refuse(`${excerpt(work.name)} was not run: ${bridge.why}`)
      const { namespace } = bridge
      // oxlint-disable-next-line no-await-in-loop -- a round needs the answers of the one before
      const exchanged = await exchangeRound(work, asked, { namespace, revision, can })
      if (exchanged.kind === 'stopped') return work.refuse(exchanged.why)
      // what was valid minutes ago may not be now, and `ask` may have changed its input
      // oxlint-disable-next-line no-await-in-loop
      const invalid = await work.deadline.within(work.checkInput())
      if (invalid !== null) return invalid
      isAsked = true
      responses = exchanged.responses
    }
    // oxlint-disable-next-line no-await-in-loop
    asked = await runRound(work, can, copied, responses)
    // an answer and a cancellation may arrive together, and the call must not run by then
    if (isAsked && stopIfCancelled(work.call)) throw toClientGone(work.call.signal)
  }
  if (asked.kind !== 'settled' || !isAsked || !work.runsOnce) return conclude(work, asked)
  // no claim: an answer counts once, and a request that is sent again asks again
  const running = runConfirmed(work, asked.answers)
  // the platform cancels a request with its connection
  work.call.waitUntil(running.catch(() => {}))
  return running
}

/**
 * Copies the state for the next round, as the sealed state of revision 2026-07-28 is a copy: the
 * author's code may change a value that it carries, or an answer, while the user decides.
 */
function copyState(state: RoundState): RoundState {
  const saved = Array.from(state.saved, ([key, { digest, response }]) => {
    const copy: unknown = JSON.parse(JSON.stringify(response))
    return [key, { digest, response: copy }] as const
  })
  return { ...state, saved: new Map(saved) }
}

/** The class through which answers reach the call, or why its client cannot be asked. */
type FoundBridge =
  | { readonly kind: 'bridge'; readonly namespace: BridgeNamespace }
  | { readonly kind: 'none'; readonly why: string }

function findBridge({ accepted, session, exports }: Call): FoundBridge {
  if (!accepted.streams) {
    const why =
      'it asks questions, which needs a stream. Send the call in a POST of its own that accepts ' +
      'text/event-stream.'
    return { kind: 'none', why }
  }
  if (session === null) {
    const why =
      'it asks questions, and what this client can be asked is not known. Send the Mcp-Session-Id ' +
      'that `initialize` returned.'
    return { kind: 'none', why }
  }
  const namespace = findBridgeNamespace(exports)
  if (namespace !== null) return { kind: 'bridge', namespace }
  const why =
    'it asks questions, and this server cannot ask clients of earlier revisions, because it has no ' +
    'Durable Object class `Bridge`. Use a client that speaks 2026-07-28.'
  return { kind: 'none', why }
}

interface RoundOptions {
  readonly namespace: BridgeNamespace
  readonly revision: Revision
  readonly can: Abilities
}

/**
 * Sends the open questions of a round. The time of the user does not count towards the time limit of
 * the work, and its place among the parallel calls is free meanwhile.
 */
async function exchangeRound(
  work: Work,
  { questions }: AskRound,
  { namespace, revision, can }: RoundOptions,
): Promise<Exchanged> {
  const { call, limits } = work
  const missing = findMissing(questions.values(), can)
  if (missing !== null) return { kind: 'stopped', why: toMissing(work, revision, missing) }
  const ending = call.end()
  if (ending !== null) await ending
  const exchanged = await exchange(work, questions, { namespace, revision, waitMs: answerMs })
  work.renewDeadline()
  if (exchanged.kind === 'stopped') return exchanged
  const lost = await findLostAccess(work, exchanged.caller)
  if (lost !== null) return { kind: 'stopped', why: lost }
  if (limits === null) return exchanged
  const full = await takePlace(work, limits)
  return full === null ? exchanged : { kind: 'stopped', why: full }
}

/**
 * Checks the access again after the user has answered, by the credentials of the answer: in revision
 * 2026-07-28, too, each round is a request with credentials of its own. Those of the call are minutes
 * old, and its token may have expired.
 */
async function findLostAccess(
  { call, entry, name }: Work,
  answering: Caller | null,
): Promise<string | null> {
  // the id of a question opens for nobody else, but a caller that cannot be read is no anonymous one
  const isSame = answering?.subject === call.caller?.subject
  const isGranted = isSame && hasScopes(answering, call.caller?.scopes ?? [])
  if (isGranted) call.caller = answering
  const isVisible = entry === null || (await toVisibility(entry, call)) === 'visible'
  if (isGranted && isVisible) return null
  return (
    `${excerpt(name)} was not run: the credentials of the answer lack a scope that those of the call ` +
    'had, or it is no longer served. Call it again with credentials that have all scopes.'
  )
}

function toMissing({ name }: Work, revision: Revision, missing: JsonObject): string {
  // what a revision has, it reads from the capabilities of a client
  const read = revision.readClientCapabilities(missing)
  const known = new Set([...Object.keys(read), ...toCapabilityNames(read)])
  const names = toCapabilityNames(missing)
  const lacking = names.filter((one) => !known.has(one))
  const before = `${excerpt(name)} was not run: what it asks needs`
  if (lacking.length > 0) {
    return (
      `${before} ${lacking.join(' and ')}, which revision ${revision.version} lacks. ` +
      'Use a client that speaks a later revision.'
    )
  }
  return (
    `${before} ${names.join(' and ')}, which this client did not declare in \`initialize\`. ` +
    'Use a client that declares it.'
  )
}
