import { type Audience, readLookupUrl } from '../cache/cache-key.ts'
import type { Fill, FillSite } from '../cache/read-through.ts'
import type { Registry } from '../define/registry.ts'
import type { Exchange } from '../protocol/exchange.ts'
import type { Mask } from '../out/mask.ts'
import type { Call } from './checked-call.ts'
import type { FillSettings } from './methods.ts'
import { createListFill } from './resources-list.ts'
import { createReadFill } from './resources.ts'
import { createToolFill } from './tools.ts'

/**
 * Makes what answers the requests that may be kept, for the cache and in its stead. Whether a caller
 * may have the answer has been decided by then.
 */
export function createFill(
  { tools, resources }: Pick<Registry, 'tools' | 'resources'>,
  settings: FillSettings,
): Fill {
  const fillList = createListFill(resources, settings)
  const fillRead = createReadFill(settings)
  const fillTool = createToolFill(tools, settings)
  return async (url, audience, site) => {
    const wanted = readLookupUrl(url)
    if (wanted === null) return null
    const exchange = toFillExchange(audience, site, settings.openSanitizer(site.env).mask)
    switch (wanted.method) {
      case 'resources/list':
        return fillList(wanted.cursor, audience, exchange)
      case 'resources/read':
        return fillRead(wanted.uri, audience, exchange)
      case 'tools/call':
        return fillTool(wanted, audience, exchange)
    }
  }
}

/**
 * Stands for the request that an answer is made for: one of many, of which it may know no more than
 * the key says. There is nobody to stream to, and nobody whose leaving should end the work.
 */
function toFillExchange({ caller = null }: Audience, site: FillSite, mask: Mask): Exchange {
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
