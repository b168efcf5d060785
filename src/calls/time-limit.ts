import { endsQuickly } from '../kit/quick.ts'
import type { Exchange } from '../wire/exchange.ts'

/** Thrown into a call that has used up its time. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded'
}

/** Thrown into a call whose client has closed its connection. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/**
 * Runs `work` for at most `limit` milliseconds and as long as its client is there. Either end aborts
 * the signal that `work` got and rejects here at once, whether or not `work` listens: a tool that
 * ignores its signal must not hold the reply (basic/patterns/cancellation, "Timeouts").
 *
 * @throws {TimeLimitExceeded | ClientGone} and whatever `work` throws.
 */
export async function runWithin<Value>(
  limit: number,
  client: Pick<Exchange, 'signal' | 'waitUntil'>,
  work: (signal: AbortSignal) => Value | Promise<Value>,
): Promise<Value> {
  const controller = new AbortController()
  const returned = work(controller.signal)
  // what waits for nothing needs neither timer nor race
  if (!(returned instanceof Promise)) return returned
  if (await endsQuickly(returned)) return await returned

  const ended = Promise.withResolvers<never>()
  const end = (reason: Error): void => {
    controller.abort(reason)
    ended.reject(reason)
  }
  const leave = (): void => {
    // with its client a request ends too: what the work does about its signal needs time of its own
    client.waitUntil(returned.catch(() => {}))
    end(new ClientGone('The client closed its connection.'))
  }
  const timer = setTimeout(() => end(new TimeLimitExceeded(`Ended after ${limit} ms.`)), limit)
  client.signal.addEventListener('abort', leave)
  if (client.signal.aborted) leave()
  try {
    return await Promise.race([returned, ended.promise])
  } finally {
    clearTimeout(timer)
    client.signal.removeEventListener('abort', leave)
  }
}
