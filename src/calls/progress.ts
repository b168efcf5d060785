import type { Progress } from '../define/running.ts'
import type { Envelope } from '../wire/envelope.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Sanitizer } from './sanitize/sanitizer.ts'

/**
 * Makes the progress of one call (basic/patterns/progress). Without a token nobody asked for it; what
 * does not grow must not be sent, so it is not, and a total that is no number is left out.
 */
export function createProgress(
  { progressToken }: Envelope,
  { emit }: Exchange,
  sanitizer: Sanitizer,
): Progress {
  if (progressToken === undefined) return () => {}
  let last = Number.NEGATIVE_INFINITY
  return (done, total, message) => {
    if (!Number.isFinite(done) || done <= last) return
    last = done
    emit({
      method: 'notifications/progress',
      params: {
        progressToken,
        progress: done,
        ...(Number.isFinite(total) && { total }),
        ...(message !== undefined && { message: sanitizer.text(message) }),
      },
    })
  }
}
