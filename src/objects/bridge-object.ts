import { DurableObject } from 'cloudflare:workers'
import { RunningCalls } from './bridge-calls.ts'
import { type AnswerReply, OpenQuestions } from './bridge-questions.ts'
import {
  type SessionReply,
  type SessionState,
  type SessionSubscription,
  StoredSession,
} from './bridge-session.ts'
import { ping, pong } from './hub-listener.ts'

/**
 * The Durable Object that carries a client's answer back to the call that asked, in whichever
 * isolate it waits, for clients of the revisions before 2026-07-28. It also stores what such a
 * client subscribed to; see docs/storage.md.
 */
export class Bridge extends DurableObject {
  readonly #questions: OpenQuestions
  readonly #session: StoredSession
  readonly #calls: RunningCalls

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    this.#questions = new OpenQuestions(state)
    this.#session = new StoredSession(state.storage)
    this.#calls = new RunningCalls(state)
    // answered by the runtime: a keep-alive neither wakes the object nor costs duration
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(ping, pong))
  }

  /**
   * Accepts a WebSocket: of a call that asks, or of a running call, which is told when its client
   * cancels it or ends its session.
   */
  override async fetch(request: Request): Promise<Response> {
    const isEnded = (): boolean => this.#session.read().kind === 'ended'
    const webSocket = this.#questions.accept(request) ?? this.#calls.accept(request, isEnded)
    if (webSocket === null) return new Response(null, { status: 400 })
    return new Response(null, { status: 101, webSocket })
  }

  async answer(index: number, text: string): Promise<AnswerReply> {
    return this.#questions.answer(index, text)
  }

  async readSession(): Promise<SessionState> {
    return this.#session.read()
  }

  subscribe(subscription: SessionSubscription, until: number): Promise<SessionReply> {
    return this.#session.subscribe(subscription, until)
  }

  unsubscribe(uri: string, until: number): Promise<SessionReply> {
    return this.#session.unsubscribe(uri, until)
  }

  async endSession(until: number): Promise<void> {
    await this.#session.end(until)
    this.#calls.endSession()
  }

  async cancelCall(call: string): Promise<void> {
    this.#calls.cancel(call)
  }

  override async alarm(): Promise<void> {
    await this.#session.alarm()
  }
}
