import { ToolError } from '../define/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { logIncident, logNotice, toDetail } from '../kit/incident.ts'
import type { Sanitizer } from './sanitize/sanitizer.ts'
import { ClientGone, TimeLimitExceeded } from './time-limit.ts'

/** How long a tool may take that says nothing else. */
export const defaultTimeout = '30s'

/**
 * What a model is told of a failure. A `ToolError` was written for it; anything else may carry hosts,
 * queries or secrets, so it goes to the log and only its id goes out.
 */
export function explainToolFailure(
  name: string,
  { definition }: Tool,
  error: unknown,
  { mask }: Sanitizer,
): string {
  if (error instanceof ToolError) {
    if (error.cause !== undefined) logNotice(`tools/call ${name}`, mask(toDetail(error.cause)))
    return error.message
  }
  if (error instanceof TimeLimitExceeded) {
    const limit = definition.timeout ?? defaultTimeout
    return `${name} did not finish within ${limit} and was stopped. Ask for less, or try again later.`
  }
  // no fault of anybody: there is nobody left to tell
  if (error instanceof ClientGone) return error.message
  const errorId = logIncident(`tools/call ${name}`, error, mask)
  return `${name} failed because of a fault on the server, not of your input. Error id: ${errorId}.`
}
