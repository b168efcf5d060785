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

/** What happens to work whose client disconnects: it is stopped, or its result is kept for others. */
export type WhenGone = 'stop' | 'keep'

/** Milliseconds that work has to react to its signal. After them it is no longer kept alive. */
const reactMs = 500

/** The time limit that all parts of a call share (basic/patterns/cancellation, "Timeouts"). */
export class Deadline {
  readonly limitMs: number
  readonly #client: WaitingClient
  readonly #endsAt: number
  #controller: AbortController | null = null
  #stopping: Promise<void> | null = null

  constructor(client: WaitingClient, limitMs: number) {
    this.#client = client
    this.limitMs = limitMs
    this.#endsAt = Date.now() + limitMs
  }

  /** Milliseconds until the deadline, or 0 after it. */
  get leftMs(): number {
    return Math.max(this.#endsAt - Date.now(), 0)
  }

  /** Aborts at the deadline, and when the client disconnects from work that is not kept. */
  get signal(): AbortSignal {
    // an AbortController costs more than the rest of a small call, and few tools read their signal
    return this.#toController().signal
  }

  /** Resolves when work that was stopped can no longer be running; `null` if none was stopped. */
  get stopping(): Promise<void> | null {
    return this.#stopping
  }

  /**
   * Waits for work until the deadline or, if it is not kept, until the client disconnects. Either of
   * these aborts the signal and rejects at once, even if the work ignores the signal: such a tool must
   * not delay the reply.
   *
   * @throws {TimeLimitExceeded | ClientGone} and whatever the work throws.
   */
  async within<Value>(work: Value | Promise<Value>, whenGone: WhenGone = 'stop'): Promise<Value> {
    // work without I/O needs neither a timer nor a race
    if (!(work instanceof Promise) || (await endsQuickly(work))) return work

    const client = this.#client
    const ended = Promise.withResolvers<never>()
    const stop = (reason: Error): void => {
      // the platform ends work that nothing waits for as soon as the reply is sent or the client gone
      this.#stopping = endsWithin(work, reactMs)
      client.waitUntil(this.#stopping)
      this.#toController().abort(reason)
      ended.reject(reason)
    }
    const leave = (): void => {
      if (whenGone === 'stop') stop(toClientGone(client.signal))
      else client.waitUntil(work.catch(() => {}))
    }
    const late = (): void => stop(new TimeLimitExceeded(`Ended after ${this.limitMs} ms.`))
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

/** The reason why work without a client is stopped. */
export function toClientGone({ reason }: AbortSignal): ClientGone {
  return reason instanceof ClientGone ? reason : new ClientGone('The client closed its connection.')
}

/** Waits until work ends, however it ends, but not longer than `ms`. */
async function endsWithin(work: Promise<unknown>, ms: number): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.resolve(), ms)
  await Promise.race([work.catch(() => {}), late.promise])
  clearTimeout(timer)
}
