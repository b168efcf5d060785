import { toVisibility, type Guarded } from '../calls/visibility.ts'
import { follow } from '../kit/follow.ts'
import type { Exchange } from '../wire/exchange.ts'
import { fail, type Outcome } from '../wire/outcome.ts'

/**
 * Decides whether a request may go on with the entry that it names: `null` if so, otherwise its end.
 * What is hidden reads like what was never there: `unknown`.
 */
export function refuse(
  entry: Guarded,
  exchange: Exchange,
  unknown: () => Outcome,
): Outcome | null | Promise<Outcome | null> {
  return follow(toVisibility(entry, exchange), (visibility) => {
    switch (visibility) {
      case 'visible':
        return null
      case 'hidden':
        return unknown()
      case 'step-up':
        return fail(exchange.stepUp(entry.scopes))
    }
  })
}
