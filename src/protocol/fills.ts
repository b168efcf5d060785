import type { Fill } from '../cache/fill.ts'
import { readLookupUrl } from '../cache/lookup.ts'
import type { Registry } from '../registry/registry.ts'
import { toFillExchange } from './fill-exchange.ts'
import type { FillSettings } from './method-settings.ts'
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
