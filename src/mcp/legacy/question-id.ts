import { isCaller } from '../../cache/cache-key.ts'
import type { Caller } from '../../protocol/caller.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { ResponseMessage } from '../../protocol/message.ts'
import { type Outcome, fail } from '../../protocol/outcome.ts'
import { findBridgeNamespace, sendAnswer } from '../../state/bridge.ts'
import type { Call } from '../call.ts'

/** Where an answer belongs. The id of the request to the client is this value, sealed. */
export interface QuestionAddress {
  /** The object through which the call is reached. */
  readonly object: string
  readonly index: number
}

/** Returns the id of a request to the client, which opens for this caller and session only. */
export async function sealQuestionId(call: Call, address: QuestionAddress): Promise<string> {
  const sealer = await call.state.sealer('question')
  return sealer.seal(address, toBound(call))
}

async function openQuestionId(call: Call, id: string): Promise<QuestionAddress | null> {
  const sealer = await call.state.sealer('question')
  const opened = await sealer.open(id, toBound(call))
  if (!isJsonObject(opened)) return null
  const { object, index } = opened
  return typeof object === 'string' && typeof index === 'number' ? { object, index } : null
}

/** The name of the server is part of it, since several may share a `STATE_KEY`. */
function toBound({ settings, callerDigest, session }: Call): string {
  return JSON.stringify([settings.serverInfo.name, callerDigest ?? '', session?.nonce ?? ''])
}

/** The answer of a client, and who sent it: the caller of the call, perhaps with a newer token. */
interface SentAnswer {
  readonly answer: unknown
  readonly caller: Caller | null
}

function toAnswerText(sent: SentAnswer): string {
  return JSON.stringify(sent)
}

/** Reads what {@link receiveAnswer} passed on. */
export function readAnswerText(text: string): SentAnswer {
  const sent: unknown = JSON.parse(text)
  const { answer, caller } = isJsonObject(sent) ? sent : {}
  return { answer, caller: isCaller(caller) ? caller : null }
}

/**
 * Passes a response on to the call that asked. Returns `null` if it was accepted; every other
 * response has the same reply, because the exact reason would only help a forger. The status is not
 * 404, which would mean that the session has ended (2025-11-25, basic/transports).
 */
export async function receiveAnswer(
  call: Call,
  { id, answer }: ResponseMessage,
): Promise<Outcome | null> {
  // a server without a key has asked nothing
  const namespace = call.state.hasKey ? findBridgeNamespace(call.exports) : null
  const address = namespace === null ? null : await openQuestionId(call, String(id))
  if (namespace === null || address === null) return notOpen
  const { object, index } = address
  const delivered = { index, text: toAnswerText({ answer, caller: call.caller }) }
  const reply = await sendAnswer(namespace, object, delivered)
  return reply === 'accepted' ? null : notOpen
}

const notOpen = fail({
  kind: 'invalid-request',
  why: 'this session has no open question with the id of this response. It may have been answered, or its call has ended.',
})
