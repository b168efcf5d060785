import { isAudienceOf, toAudience, type Addressed, type Audience } from '../cache/audience.ts'
import type { Filled, Keeping } from '../cache/fill.ts'
import type { Lookup } from '../cache/lookup.ts'
import { toToolTags } from '../cache/tags.ts'
import { callTool, fillTool } from '../calls/call-tool.ts'
import { isOpen } from '../calls/visibility.ts'
import type { ToolEntry } from '../registry/entries.ts'
import type { Exchange } from '../wire/exchange.ts'
import { isJsonObject, type JsonObject } from '../wire/json.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import { refuse } from './admit.ts'
import { toFillCall } from './fill-exchange.ts'
import { createListMethod } from './lists.ts'
import type { FillSettings, MethodSettings } from './method-settings.ts'
import { findParamMismatch } from './param-headers.ts'
import type { Method, Methods } from './protocol.ts'
import { isRetry } from './retry.ts'

/** Makes the methods of the tools there are; none where there are none (server/tools). */
export function createToolMethods(
  entries: readonly ToolEntry[],
  settings: MethodSettings,
): Methods {
  if (entries.length === 0) return new Map()
  const listed = entries.map((entry) => ({ ...entry, key: entry.name }))
  return new Map([
    ['tools/list', createListMethod('tools', listed, settings)],
    ['tools/call', createToolsCall(entries, settings)],
  ])
}

function createToolsCall(entries: readonly ToolEntry[], settings: MethodSettings): Method {
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return async ({ params }, exchange, envelope): Promise<Outcome> => {
    const { name, arguments: input = {} } = params
    const entry = typeof name === 'string' ? byName.get(name) : undefined
    const unknown = (): Outcome => invalid(`Unknown tool: ${String(name)}`)
    if (entry === undefined) return unknown()
    const refused = await refuse(entry, exchange, unknown)
    if (refused !== null) return refused
    if (!isJsonObject(input)) return invalid('params.arguments must be an object.')
    const why = findParamMismatch(entry.headers, exchange.headers, input)
    if (why !== null) return fail({ kind: 'header-mismatch', why })
    const { default: tool } = await entry.load()
    const call = { ...toToolCall(entry.name, input), params, exchange, envelope }
    const { cache } = entry
    if (cache === null || isRetry(params)) return await callTool(call, tool, settings)
    return callTool(call, tool, settings, () => {
      const lookup = { method: 'tools/call', name: entry.name, input } as const
      const audience = toAudience(toAddressed(entry, cache), exchange.caller)
      return settings.keep({ lookup, audience, keeping: toKeeping(entry.name, cache) }, exchange)
    })
  }
}

/** Makes what runs tools for the cache; `null` for one whose results are not kept. */
export function createToolFill(
  entries: readonly ToolEntry[],
  settings: FillSettings,
): (lookup: ToolLookup, audience: Audience, exchange: Exchange) => Promise<Filled | null> {
  const byName = new Map(entries.map((entry) => [entry.name, entry]))
  return async ({ name, input }, audience, exchange) => {
    const entry = byName.get(name)
    if (entry === undefined || entry.cache === null) return null
    if (!isAudienceOf(audience, toAddressed(entry, entry.cache))) return null
    const { default: tool } = await entry.load()
    const outcome = await fillTool(toFillCall(toToolCall(name, input), exchange), tool, settings)
    return { outcome, keeping: toKeeping(name, entry.cache) }
  }
}

type ToolLookup = Lookup & { readonly method: 'tools/call' }

function toAddressed(entry: ToolEntry, { shared }: { readonly shared: boolean }): Addressed {
  return { key: entry.name, shared, isOpen: isOpen(entry) }
}

function toToolCall(name: string, input: JsonObject) {
  return { method: 'tools/call', name, input } as const
}

function toKeeping(name: string, { ttlMs, staleMs }: Omit<Keeping, 'tags'>): Keeping {
  return { ttlMs, staleMs, tags: toToolTags(name) }
}

function invalid(why: string): Outcome {
  return fail({ kind: 'invalid-params', why })
}
