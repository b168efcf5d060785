import { ToolError } from '../define/reply.ts'
import type { Outcome } from '../protocol/outcome.ts'
import type { Call } from './call.ts'
import { ClientGone, TimeLimitExceeded } from './deadline.ts'

/** What of a work decides how it fails. */
interface FailingWork {
  readonly call: Pick<Call, 'method' | 'log'>
  readonly name: string
  /** Says that the time was over. */
  readonly lateText: string
  /** Ends the call with a sentence for whoever sent it. */
  refuse(why: string): Outcome
  /** Ends the call with the id of an error in the log. */
  toFault(errorId: string): Outcome
}

/**
 * Converts what an author's code threw to the end of its call. A `ToolError` goes out with its message;
 * of anything else only an error id does, as its text may carry hosts, queries or secrets.
 */
export function toThrownOutcome(work: FailingWork, error: unknown): Outcome {
  const { call, name } = work
  const what = `${call.method} ${name}`.trimEnd()
  if (error instanceof ToolError) {
    if (error.cause !== undefined) call.log.warn(what, error.message, error.cause)
    return work.refuse(error.message)
  }
  // not a fault of anybody: there is no client left to tell
  if (error instanceof ClientGone) return work.refuse(error.message)
  if (error instanceof TimeLimitExceeded) return work.refuse(work.lateText)
  return work.toFault(call.log.error(what, error))
}
