import {
  type AnswerReply,
  type DeliveredAnswer,
  type QuestionsOffer,
  questionsHeader,
  readDeliveredAnswer,
  toQuestionsText,
} from '../objects/bridge-questions.ts'
import { type CallNews, runningCallHeader, toRunningCallText } from '../objects/bridge-calls.ts'
import type { SessionReply, SessionState, SessionSubscription } from '../objects/bridge-session.ts'
import { openObjectSocket, toObjectSocket } from './object-socket.ts'

/** The object of one session, over RPC: it exists for sessions that subscribe, cancel or end. */
export interface BridgeSession {
  fetch(url: string, init: RequestInit): Promise<Response>
  readSession(): Promise<SessionState>
  /** `until` is the age limit of the session, when everything is deleted. */
  subscribe(subscription: SessionSubscription, until: number): Promise<SessionReply>
  unsubscribe(uri: string, until: number): Promise<SessionReply>
  endSession(until: number): Promise<void>
  cancelCall(call: string): Promise<void>
}

/** The object that answers to the questions of one round go through, over RPC. */
interface BridgeQuestions {
  readonly id: { toString(): string }
  fetch(url: string, init: RequestInit): Promise<Response>
  answer(index: number, text: string): Promise<AnswerReply>
}

/** The class `Bridge`: its objects have an id for the questions of a round, and a name for a session. */
export interface BridgeNamespace {
  newUniqueId(): unknown
  idFromString(id: string): unknown
  get(id: unknown): BridgeQuestions
  getByName(name: string): BridgeSession
}

/**
 * Finds the namespace in `ctx.exports`. `null` where the Worker does not export the class or does
 * not declare it: such a server can neither ask clients of the revisions before 2026-07-28, nor keep
 * their subscriptions.
 */
export function findBridgeNamespace(exports: unknown): BridgeNamespace | null {
  const found: unknown = Object(exports).Bridge
  return isNamespace(found) ? found : null
}

function isNamespace(value: unknown): value is BridgeNamespace {
  // a class that is exported but not declared is here too, without the methods of a namespace
  return typeof value === 'function' && 'newUniqueId' in value
}

/** The way back for the answers of one round. Only the request that opened it can use it. */
export interface BridgeConnection {
  /** The address of the object, for the ids of the questions. */
  readonly object: string
  /** Passes on the answers, until either side closes. */
  readonly forward: (onAnswer: (answer: DeliveredAnswer) => void) => Promise<void>
  readonly close: () => void
}

/** @throws {Error} when the object does not respond within 5 seconds, or refuses. */
export async function openBridge(
  namespace: BridgeNamespace,
  offer: QuestionsOffer,
): Promise<BridgeConnection> {
  const bridge = namespace.get(namespace.newUniqueId())
  const headers = { [questionsHeader]: toQuestionsText(offer) }
  const { status, webSocket } = await openObjectSocket(bridge, 'bridge', headers)
  if (webSocket === null) throw new Error(`The bridge refused questions with status ${status}.`)
  const { forward, close } = toObjectSocket(webSocket)
  return {
    object: bridge.id.toString(),
    close,
    async forward(onAnswer) {
      await forward((text) => {
        const answer = readDeliveredAnswer(text)
        if (answer !== null) onAnswer(answer)
      })
    },
  }
}

/** Passes an answer on to the call that asked, in whichever isolate it waits. */
export async function sendAnswer(
  namespace: BridgeNamespace,
  object: string,
  { index, text }: DeliveredAnswer,
): Promise<AnswerReply> {
  const bridge = findBridge(namespace, object)
  return bridge === null ? 'closed' : bridge.answer(index, text)
}

function findBridge(namespace: BridgeNamespace, object: string): BridgeQuestions | null {
  try {
    return namespace.get(namespace.idFromString(object))
  } catch {
    // not an id of this class
    return null
  }
}

/**
 * Tells the session's object that a call is running, and passes on what the object tells it. Returns
 * the function that leaves. The socket belongs to this request, as all sockets in workerd.
 */
export async function joinRunningCall(
  session: BridgeSession,
  call: string,
  ageMs: number,
  onNews: (news: CallNews) => void,
): Promise<() => void> {
  const headers = { [runningCallHeader]: toRunningCallText(call, ageMs) }
  const { webSocket, status } = await openObjectSocket(session, 'bridge', headers)
  if (webSocket === null) throw new Error(`A running call was refused with status ${status}.`)
  const { forward, close } = toObjectSocket(webSocket)
  void forward((text) => {
    if (text === 'cancelled' || text === 'ended') onNews(text)
  })
  return close
}
