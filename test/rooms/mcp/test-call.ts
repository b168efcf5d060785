import { toCallSettings } from '../call-settings.ts'
import { toExchange } from '../exchange.ts'
import { toOutcomeCaching } from '../../../src/cache/freshness.ts'
import { createKeep } from '../../../src/cache/read-through.ts'
import type { Prompt } from '../../../src/define/prompt.ts'
import type { Resource } from '../../../src/define/resource.ts'
import { createFill } from '../../../src/mcp/fills.ts'
import { createResourceLookup } from '../../../src/mcp/resource-lookup.ts'
import type { MethodSettings, Methods } from '../../../src/mcp/methods.ts'
import { createResourceMethods } from '../../../src/mcp/resources.ts'
import type { PromptEntry, ResourceEntry } from '../../../src/define/registry.ts'
import { toPromptEntry } from '../../../src/build/entries/prompt-entry.ts'
import { toResourceEntry } from '../../../src/build/entries/resource-entry.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import type { CacheHints } from '../../../src/protocol/outcome.ts'
import { toRpcError } from '../../../src/protocol/failure.ts'

export const settings: MethodSettings = {
  ...toCallSettings(),
  lists: { ttlMs: 300_000, cacheScope: 'public' },
  staleListsMs: 0,
  lookup: () => null,
  keep: () => Promise.reject(new Error('nothing is kept here')),
}

/** Entries as the build writes them. */
export function toResourceEntries(resources: Record<string, Resource>): readonly ResourceEntry[] {
  return Object.entries(resources).map(([name, resource]) =>
    Object.assign(toResourceEntry(name, resource), {
      load: () => Promise.resolve({ default: resource }),
    }),
  )
}

/** The methods of these resources, where nothing stands between a request and the making of its answer. */
export function createResources(
  resources: Record<string, Resource>,
  changes: Partial<MethodSettings> = {},
): Methods {
  const entries = toResourceEntries(resources)
  const own = { ...settings, lookup: createResourceLookup(entries), ...changes }
  const fill = createFill({ tools: [], resources: entries }, own)
  return createResourceMethods(entries, { ...own, keep: createKeep(fill, null) })
}

/** Entries as the build writes them. */
export function toPromptEntries(prompts: Record<string, Prompt>): readonly PromptEntry[] {
  return Object.entries(prompts).map(([name, prompt]) =>
    Object.assign(toPromptEntry(name, prompt), {
      load: () => Promise.resolve({ default: prompt }),
    }),
  )
}

/** What a client is sent, and what the HTTP layer is told of caching. */
export interface Asked {
  readonly result?: JsonObject
  readonly cache?: CacheHints
  readonly error?: JsonObject
}

/** Sends one request past envelope and transport, straight to its method. */
export async function ask(
  methods: Methods,
  method: string,
  params: JsonObject = {},
  signal = new AbortController().signal,
): Promise<Asked> {
  const answer = methods.get(method)
  if (answer === undefined) throw new Error(`${method} is not there`)
  const exchange = toExchange({ signal })
  const message = { kind: 'request', id: 1, method, params } as const
  const outcome = await answer(message, exchange, { clientCapabilities: {} })
  if (outcome.kind === 'failure') {
    const { code, message, data } = toRpcError(outcome.failure)
    return { error: { code, message, ...(data !== undefined && { data }) } }
  }
  if (outcome.kind !== 'result') throw new Error(`${method} was not answered with a result`)
  const { members, cache } = outcome
  const hints = cache === undefined ? '' : `,${toOutcomeCaching(outcome)?.members ?? ''}`
  return { result: JSON.parse(`{${members}${hints}}`), ...(cache !== undefined && { cache }) }
}
