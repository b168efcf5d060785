import { ToolError } from '../define/reply.ts'
import type { Outcome } from '../protocol/outcome.ts'
import type { Call } from './call.ts'
import { ClientGone, TimeLimitExceeded } from './deadline.ts'

/** The part of a `Work` that decides how it fails. */
interface FailingWork {
  readonly call: Pick<Call, 'method' | 'log'>
  readonly name: string
  /** The sentence for a run that was stopped at the time limit. */
  readonly lateText: string
  /** Ends the call with a sentence for the client. */
  refuse(why: string): Outcome
  /** Ends the call with the id of an error in the log. */
  toFault(errorId: string): Outcome
}

/**
 * Converts what an author's code threw to an outcome. The message of a `ToolError` is sent; for any
 * other error only an error id, because its text may contain hosts, queries or secrets.
 */
export function toThrownOutcome(work: FailingWork, error: unknown): Outcome {
  const { call, name } = work
  const what = `${call.method} ${name}`.trimEnd()
  if (error instanceof ToolError) {
    if (error.cause !== undefined) call.log.warn(what, error.message, error.cause)
    return work.refuse(error.message)
  }
  // not a fault of the tool: the client disconnected
  if (error instanceof ClientGone) return work.refuse(error.message)
  if (error instanceof TimeLimitExceeded) return work.refuse(work.lateText)
  return work.toFault(call.log.error(what, error))
}
