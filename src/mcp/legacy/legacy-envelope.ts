import { type JsonObject, isJsonObject, isTextOrInteger } from '../../protocol/json.ts'
import { type Outcome, fail } from '../../protocol/outcome.ts'
import { findRevision } from '../../protocol/revisions/revisions.ts'
import { readSessionNote } from '../../cache/session-notes.ts'
import { type Call, isRetry } from '../call.ts'
import type { Session, Sessions } from './session.ts'

/** The revision of clients that send no version header (2025-11-25, basic/transports). */
const revisionWithoutHeader = '2025-03-26'

export const sessionHeader = 'Mcp-Session-Id'

/**
 * Finds out who sends a message of an earlier revision: its session, and its revision. Both are
 * optional, and an outcome ends the request.
 */
export async function openSession(call: Call): Promise<Outcome | null> {
  const { headers, settings, callerDigest } = call
  const id = readOnce(headers, sessionHeader)
  if (id !== '') {
    const { sessions } = settings
    const session = await sessions.open(id, callerDigest ?? '', Date.now(), call.state)
    const isOpen =
      session !== null &&
      (!sessions.areNotesDue(session, Date.now()) || (await readNotes(sessions, session)))
    if (!isOpen) return fail({ kind: 'session-not-found' })
    call.session = session
  }
  const header = readOnce(headers, 'MCP-Protocol-Version')
  const version = header || (call.session?.version ?? revisionWithoutHeader)
  const revision = findRevision(version)
  if (revision === null) {
    return fail({ kind: 'unsupported-version', requested: version, supported: settings.versions })
  }
  call.revision = revision
  return null
}

/** Reads what other isolates of this data centre noted, and returns whether the session goes on. */
async function readNotes(sessions: Sessions, session: Session): Promise<boolean> {
  const note = await readSessionNote(session.nonce)
  return note === null || sessions.applyNote(session, note)
}

/** Some clients and proxies send a header twice, and HTTP joins the two (RFC 9110, 5.3). */
function readOnce(headers: Headers, name: string): string {
  const value = headers.get(name) ?? ''
  if (!value.includes(',')) return value
  const [first = '', ...others] = value.split(',').map((one) => one.trim())
  const isRepeated = first !== '' && others.every((other) => other === first)
  return isRepeated ? first : value
}

/** Reads the `_meta` of a request, and adds what the session says. */
export function openLegacyEnvelope(call: Call): Outcome | null {
  const { params, session, settings } = call
  const meta = params['_meta']
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined
  if (token !== undefined && !isTextOrInteger(token)) {
    const why = 'params._meta.progressToken must be a string or an integer.'
    return fail({ kind: 'invalid-params', why })
  }
  const logLevel = session === null ? undefined : settings.sessions.levelOf(session)
  call.envelope = {
    clientCapabilities: session?.capabilities ?? {},
    ...(token !== undefined && { progressToken: token }),
    ...(logLevel !== undefined && { logLevel }),
  }
  call.params = withoutNullCursor(withoutRounds(params))
  return null
}

/** Removes what revision 2026-07-28 added to requests: earlier ones do not ask in rounds. */
function withoutRounds(params: JsonObject): JsonObject {
  if (!isRetry(params)) return params
  const { inputResponses: _, requestState: __, ...others } = params
  return others
}

/**
 * Some clients write a cursor that they do not have as `null`. No revision allows it, and these can
 * only mean the first page.
 */
function withoutNullCursor(params: JsonObject): JsonObject {
  if (params['cursor'] !== null) return params
  const { cursor: _, ...others } = params
  return others
}
