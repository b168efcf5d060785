import { endsQuickly } from '../util/microtasks.ts'

export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded'
}

export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** The part of a call that a {@link Deadline} needs. */
export interface WaitingClient {
  readonly signal: AbortSignal
  waitUntil(work: Promise<unknown>): void
}

/** The time limit that all parts of a call share (basic/patterns/cancellation, "Timeouts"). */
export class Deadline {
  readonly limitMs: number
  readonly #client: WaitingClient
  readonly #endsAt: number
  #controller: AbortController | null = null

  constructor(client: WaitingClient, limitMs: number) {
    this.#client = client
    this.limitMs = limitMs
    this.#endsAt = Date.now() + limitMs
  }

  /** Milliseconds until the deadline, or 0 after it. */
  get leftMs(): number {
    return Math.max(this.#endsAt - Date.now(), 0)
  }

  /** Aborts at the deadline and when the client disconnects. */
  get signal(): AbortSignal {
    // an AbortController costs more than the rest of a small call, and few tools read their signal
    return this.#toController().signal
  }

  /**
   * Waits for work until the deadline or until the client disconnects. Either of these aborts the
   * signal and rejects at once, even if the work ignores the signal: such a tool must not delay the
   * reply.
   *
   * @throws {TimeLimitExceeded | ClientGone} and whatever the work throws.
   */
  async within<Value>(work: Value | Promise<Value>): Promise<Value> {
    // work without I/O needs neither a timer nor a race
    if (!(work instanceof Promise) || (await endsQuickly(work))) return work

    const client = this.#client
    const ended = Promise.withResolvers<never>()
    const end = (reason: Error): void => {
      this.#toController().abort(reason)
      ended.reject(reason)
    }
    const leave = (): void => {
      // a request ends with its client: the work needs time to react to its signal
      client.waitUntil(work.catch(() => {}))
      end(new ClientGone('The client closed its connection.'))
    }
    const late = (): void => end(new TimeLimitExceeded(`Ended after ${this.limitMs} ms.`))
    const timer = setTimeout(late, this.leftMs)
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
