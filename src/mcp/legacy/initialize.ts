import { writeSessionNote } from '../../cache/session-notes.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { isLogLevel, logLevels } from '../../protocol/meta.ts'
import {
  type Outcome,
  type ResultOutcome,
  emptyResult,
  fail,
  toMembers,
} from '../../protocol/outcome.ts'
import type { Revision } from '../../protocol/revisions/revision.ts'
import { findRevision, newestLegacy } from '../../protocol/revisions/revisions.ts'
import type { Call } from '../call.ts'
import { toCapabilities } from '../discover.ts'
import { sessionHeader } from './legacy-envelope.ts'
import { canSubscribe } from './session-subscriptions.ts'
import { type Session, toSessionEnd } from './session.ts'

/** `initialize` (2025-11-25, basic/lifecycle). Nothing is stored: the session id has all of it. */
export async function initialize(call: Call): Promise<Outcome> {
  const { protocolVersion, capabilities, clientInfo } = call.params
  if (typeof protocolVersion !== 'string') return invalid('protocolVersion', 'a string')
  if (!isJsonObject(capabilities)) return invalid('capabilities', 'an object')
  if (!isJsonObject(clientInfo)) return invalid('clientInfo', 'an object')

  // a client that does not speak what is offered disconnects
  const revision = findRevision(protocolVersion) ?? newestLegacy
  call.revision = revision
  // only what the server can ask, so that a session id is short whatever a client declares
  const declared = revision.readClientCapabilities(capabilities)
  const session: Session = {
    nonce: crypto.randomUUID(),
    version: revision.version,
    capabilities: declared,
    caller: call.callerDigest ?? '',
    issued: Date.now(),
  }
  const headers = await toSessionHeaders(call, session)
  return { ...describeServer(call, revision), headers }
}

function describeServer(call: Call, revision: Revision): ResultOutcome {
  const { settings, state } = call
  const { instructions, serverInfo } = settings
  const subscribes = canSubscribe(call)
  const capabilities = toCapabilities(settings, { hasHub: state.hasHub, subscribes })
  const members = toMembers({
    protocolVersion: revision.version,
    capabilities: revision.toServerCapabilities(capabilities),
    serverInfo: revision.toServerInfo({ ...serverInfo }),
    ...(instructions !== null && { instructions }),
  })
  return { kind: 'result', members }
}

/** A server without a key mints no session: its clients are served, but not asked or notified. */
async function toSessionHeaders(
  call: Call,
  session: Session,
): Promise<Readonly<Record<string, string>>> {
  try {
    const sealer = await call.state.sealer('session')
    return { [sessionHeader]: await call.settings.sessions.seal(session, sealer) }
  } catch (error) {
    const why =
      'No session id was created, so this client is neither asked questions nor notified, and gets ' +
      'no log messages.'
    call.log.warn(call.method, why, error)
    return {}
  }
}

/** `ping` (2025-11-25, basic/utilities/ping). */
export function answerPing(): Outcome {
  return emptyResult
}

/**
 * `logging/setLevel` (2025-11-25, server/utilities/logging). The level becomes part of a new session
 * id. Clients that keep the old one have the level in this isolate, and within a minute in those of the same
 * data centre.
 */
export async function setLogLevel(call: Call): Promise<Outcome> {
  const { level } = call.params
  if (!isLogLevel(level)) return invalid('level', `one of ${logLevels.join(', ')}`)
  const { session } = call
  if (session === null) return emptyResult
  const log = { level, at: Date.now() }
  call.settings.sessions.setLevel(session, log)
  call.waitUntil(writeSessionNote(session.nonce, { log }, toSessionEnd(session)))
  return { ...emptyResult, headers: await toSessionHeaders(call, { ...session, log }) }
}

function invalid(member: string, what: string): Outcome {
  return fail({ kind: 'invalid-params', why: `params.${member} must be ${what}.` })
}
