import { ToolError } from '../define/reply.ts'
import type { Exchange } from '../protocol/exchange.ts'
import type { Failure } from '../protocol/failure.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import { logIncident } from '../out/log.ts'
import type { Mask } from '../out/mask.ts'
import { endsQuickly } from '../util/microtasks.ts'

/** How long an author's code may take for a resource, a prompt or a completion. */
const seconds = 30

/**
 * Runs an author's code that has no `isError` result to put its troubles into. What it throws becomes
 * a failure of the request: a `ToolError` with its message, anything else with an error id only
 * (server/resources and server/prompts, "Error Handling").
 */
export async function attempt(
  what: string,
  exchange: Exchange,
  work: (signal: AbortSignal) => Outcome | Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await runWithin(seconds * 1_000, exchange, work)
  } catch (error) {
    return fail(toFailure(what, error, exchange.mask))
  }
}

function toFailure(what: string, error: unknown, mask: Mask): Failure {
  if (error instanceof ToolError || error instanceof ClientGone) {
    return { kind: 'failed', why: mask(error.message) }
  }
  if (error instanceof TimeLimitExceeded) {
    const why = `${what} did not finish within ${seconds} seconds and was stopped. Try again later.`
    return { kind: 'failed', why }
  }
  return { kind: 'internal', errorId: logIncident(what, error, mask) }
}

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
