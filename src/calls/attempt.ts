import { ToolError } from '../define/tool-error.ts'
import { logIncident, type Mask } from '../kit/incident.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Failure } from '../wire/failure.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import { ClientGone, runWithin, TimeLimitExceeded } from './time-limit.ts'

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
