import { listRows } from '../calls/list-rows.ts'
import { logNotice } from '../kit/incident.ts'
import type { ResourceEntry } from '../registry/entries.ts'
import type { RowSource } from '../registry/merged-page.ts'
import { toResourceListing } from '../registry/resource-listing.ts'
import type { ResourceLookup } from '../registry/resource-lookup.ts'
import type { Exchange } from '../wire/exchange.ts'

/**
 * Makes a source of the list from a template with a `list` of its own. A row whose URI this template
 * would not be asked for is left out: nobody could read it, or another resource stands there and is
 * listed already.
 */
export function createRowSource(
  entry: ResourceEntry,
  lookup: ResourceLookup,
  exchange: Exchange,
  signal: AbortSignal,
): RowSource {
  return {
    key: entry.uri,
    async list(cursor) {
      const { default: resource } = await entry.load()
      const { resources, next } = await listRows(resource, cursor, exchange, signal)
      const served = resources.filter(({ uri }) => lookup(uri)?.entry.uri === entry.uri)
      if (served.length < resources.length)
        warnOfStrays(entry.uri, resources.length - served.length)
      const { mime } = resource.definition
      return {
        listed: served.map((row) => JSON.stringify(toResourceListing({ mime, ...row }))),
        ...(next !== undefined && { next }),
      }
    },
  }
}

function warnOfStrays(template: string, count: number): void {
  logNotice(
    `list of ${template}`,
    `${count} resources are left out, as this template does not match their URIs or another one ` +
      'takes them. Make URIs from the template, with encodeURIComponent around each value.',
  )
}
