import type { Tool } from '../define/tool.ts'
import { toMilliseconds } from '../kit/duration.ts'
import { readParamHeaders } from '../schema/param-headers.ts'
import type { ToolEntry } from './entries.ts'
import { toGuarded } from './guarded.ts'
import { toToolListing, type ToolSurroundings } from './tool-listing.ts'

/** What the registry holds of a tool, but for `load`, which the build adds. */
export interface DescribedTool {
  readonly entry: Omit<ToolEntry, 'load'>
  /** What is wrong with its parameter headers, in sentences. */
  readonly problems: readonly string[]
}

/** Says all that the registry holds of a tool. */
export function toToolEntry(
  name: string,
  tool: Tool,
  surroundings: ToolSurroundings,
): DescribedTool {
  const { definition } = tool
  const listing = toToolListing(name, tool, surroundings)
  const { headers, problems } = readParamHeaders(listing.inputSchema)
  const entry = {
    name,
    listed: JSON.stringify(listing),
    headers,
    readOnly: definition.hints?.readOnly === true,
    cache: toCache(tool),
    ...toGuarded(definition),
  }
  return { entry, problems }
}

function toCache({ definition }: Tool): ToolEntry['cache'] {
  const { cache, stale, shared = false } = definition
  if (cache === undefined) return null
  const staleMs = stale === undefined ? 0 : toMilliseconds(stale)
  return { ttlMs: toMilliseconds(cache), staleMs, shared }
}
