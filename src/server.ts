import { toMilliseconds, type Duration } from './kit/duration.ts'
import { createDiscover } from './protocol/discover.ts'
import { createListMethod } from './protocol/lists.ts'
import { createProtocol, type Methods } from './protocol/protocol.ts'
import { createToolsCall } from './protocol/tools-call.ts'
import { createList } from './registry/list.ts'
import type { Registry } from './registry/registry.ts'
import { createTransport, type Transport } from './transport/transport.ts'
import type { Implementation } from './wire/implementation.ts'
import type { CacheHints } from './wire/outcome.ts'

/** The whole configuration of a server; see the README's table for the defaults. */
export interface WorkerOptions extends Implementation {
  /** Generated from `tools/` by `helve build`. */
  readonly registry: Registry
  /** For the model: how to use this server well. */
  readonly instructions?: string
  /** The path that clients post to. */
  readonly endpoint?: `/${string}`
  /** The web pages that may call this server: one setting for `Origin` and for CORS. */
  readonly origins?: readonly string[] | '*'
  /** How long clients may keep what they were told before they ask again. */
  readonly fresh?: { readonly lists?: Duration; readonly discover?: Duration }
  /** Entries a page. Lists come whole unless this is set: many clients read only the first page. */
  readonly page?: number
  /** Bytes that one result may have. */
  readonly maxResultBytes?: number
}

/**
 * Makes the Worker: its default export, and all there is to run.
 *
 * @throws {RangeError} when a duration or a page size makes no sense, at start and not at a request.
 */
export function createWorker(options: WorkerOptions): { readonly fetch: Transport } {
  const { registry, instructions, endpoint = '/mcp', origins = [], ...rest } = options
  const { fresh, page, maxResultBytes = 4 * 1024 * 1024, ...serverInfo } = rest
  if (page !== undefined && !(Number.isSafeInteger(page) && page > 0)) {
    throw new RangeError(`page is ${page}. Give the number of entries a page, 1 or more.`)
  }
  const methods = toMethods(registry, {
    ...(instructions === undefined ? {} : { instructions }),
    ...(page === undefined ? {} : { page }),
    discoverTtlMs: toMilliseconds(fresh?.discover ?? '1h'),
    lists: { ttlMs: toMilliseconds(fresh?.lists ?? '5m'), cacheScope: 'public' },
    maxResultBytes,
  })
  return {
    fetch: createTransport({ endpoint, origins, serverInfo, handle: createProtocol(methods) }),
  }
}

interface MethodSettings {
  readonly instructions?: string
  readonly page?: number
  readonly discoverTtlMs: number
  readonly lists: CacheHints
  readonly maxResultBytes: number
}

function toMethods(registry: Registry, settings: MethodSettings): Methods {
  const discover = createDiscover(registry, settings.instructions, settings.discoverTtlMs)
  const methods: Methods = new Map([['server/discover', discover]])
  if (registry.tools.length === 0) return methods
  const tools = registry.tools.map(({ name, listed }) => ({ key: name, listed }))
  return new Map([
    ...methods,
    ['tools/list', createListMethod(createList('tools', tools, settings.page), settings.lists)],
    ['tools/call', createToolsCall(registry.tools, settings)],
  ])
}
