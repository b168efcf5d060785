import { endsQuickly } from '../util/microtasks.ts'

/** Thrown into a call that has used up its time. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded'
}

/** Thrown into a call whose client has closed its connection. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** The client that waits, and the platform that keeps the Worker alive for it. */
export interface WaitingClient {
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal
  waitUntil(work: Promise<unknown>): void
}

/** The time that an author's code has, all parts of a call together (basic/patterns/cancellation, "Timeouts"). */
export class Deadline {
  /** Milliseconds that the whole may take. */
  readonly limitMs: number
  readonly #client: WaitingClient
  readonly #endsAt: number
  #controller: AbortController | null = null

  constructor(client: WaitingClient, limitMs: number) {
    this.#client = client
    this.limitMs = limitMs
    this.#endsAt = Date.now() + limitMs
  }

  /** Aborts at the deadline and when the client has gone. */
  get signal(): AbortSignal {
    // an AbortController costs more than the rest of a small call, and few tools read their signal
    return this.#toController().signal
  }

  /**
   * Waits for work until the deadline and as long as its client is there. Either end aborts the signal
   * and rejects here at once, whether or not the work listens: a tool that ignores its signal must not
   * hold the reply.
   *
   * @throws {TimeLimitExceeded | ClientGone} and whatever the work throws.
   */
  async within<Value>(work: Value | Promise<Value>): Promise<Value> {
    // what waits for nothing needs neither timer nor race
    if (!(work instanceof Promise) || (await endsQuickly(work))) return work

    const client = this.#client
    const ended = Promise.withResolvers<never>()
    const end = (reason: Error): void => {
      this.#toController().abort(reason)
      ended.reject(reason)
    }
    const leave = (): void => {
      // with its client a request ends too: what the work does about its signal needs time of its own
      client.waitUntil(work.catch(() => {}))
      end(new ClientGone('The client closed its connection.'))
    }
    const late = (): void => end(new TimeLimitExceeded(`Ended after ${this.limitMs} ms.`))
    const timer = setTimeout(late, Math.max(this.#endsAt - Date.now(), 0))
    client.signal.addEventListener('abort', leave)
    if (client.signal.aborted) leave()
    try {
      return await Promise.race([work, ended.promise])
    } finally {
      clearTimeout(timer)
      client.signal.removeEventListener('abort', leave)
    }
  }

  #toController(): AbortController {
    this.#controller ??= new AbortController()
    return this.#controller
  }
}
