import { DurableObject } from 'cloudflare:workers'
import { type AnswerReply, OpenQuestions } from './bridge-questions.ts'

/**
 * The Durable Object that carries a client's answer back to the call that asked, in whichever
 * isolate it waits, for clients of the revisions before 2026-07-28. It also stores what such a
 * client subscribed to; see docs/storage.md.
 */
export class Bridge extends DurableObject {
  readonly #questions: OpenQuestions

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    this.#questions = new OpenQuestions(state)
  }

  /** Accepts the WebSocket of a call that asks. */
  override async fetch(request: Request): Promise<Response> {
    const webSocket = this.#questions.accept(request)
    return new Response(null, webSocket === null ? { status: 400 } : { status: 101, webSocket })
  }

  async answer(index: number, text: string): Promise<AnswerReply> {
    return this.#questions.answer(index, text)
  }
}
