import type { Tool } from '../../src/define/tool.ts'
import type { Registry } from '../../src/registry/registry.ts'
import { toToolListing } from '../../src/registry/tool-listing.ts'
import { readParamHeaders } from '../../src/schema/param-headers.ts'

/** The registry that the build would write for these tools. */
export function toRegistry(tools: Readonly<Record<string, Tool>>): Registry {
  const entries = Object.entries(tools).map(([name, tool]) => {
    const listing = toToolListing(name, tool)
    return {
      name,
      listed: JSON.stringify(listing),
      headers: readParamHeaders(listing.inputSchema).headers,
      load: () => Promise.resolve({ default: tool }),
    }
  })
  return { digest: 'test', tools: entries }
}
