import type { Audience } from '../cache/audience.ts'
import type { FillSite } from '../cache/fill.ts'
import type { Call } from '../calls/call.ts'
import type { Mask } from '../kit/incident.ts'
import type { Exchange } from '../wire/exchange.ts'

/**
 * Stands for the request that an answer is made for: one of many, of which it may know no more than
 * the key says. There is nobody to stream to, and nobody whose leaving should end the work.
 */
export function toFillExchange({ caller = null }: Audience, site: FillSite, mask: Mask): Exchange {
  return {
    // member by member: there may be a whole request behind it
    env: site.env,
    waitUntil: (work) => site.waitUntil(work),
    // read when it is needed: workerd makes a loopback for each export at the first look
    get exports() {
      return site.exports
    },
    caller,
    mask,
    callerDigest: null,
    headers: new Headers(),
    signal: new AbortController().signal,
    emit: () => {},
    stepUp: (needed) => ({ kind: 'insufficient-scope', needed, challenge: 'Bearer' }),
  }
}

/** The rest of such a request: a client that declares nothing and asks for no log messages. */
export function toFillCall(
  call: Pick<Call, 'method' | 'name' | 'input'>,
  exchange: Exchange,
): Call {
  return { ...call, params: {}, exchange, envelope: { clientCapabilities: {} } }
}
