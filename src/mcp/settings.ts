import type { RequestLimit } from '../auth/request/request-limit.ts'
import type { Guard } from '../auth/request/guard.ts'
import type { ComputeResult, CacheStore } from '../cache/read-through.ts'
import type { Registry } from '../define/registry.ts'
import type { AuditSettings } from '../out/audit.ts'
import type { OpenSanitizer } from '../out/sanitizer.ts'
import type { Implementation } from '../protocol/content.ts'
import type { CacheHints } from '../protocol/outcome.ts'
import type { Announcer } from '../state/hub.ts'
import type { OpenState } from '../state/state.ts'
import type { RateWindow } from '../util/rate-limit.ts'
import type { EntryIndex } from './entries.ts'

/** How calls are counted. */
export interface LimitSettings {
  /** What wrangler.toml says of each `[[ratelimits]]` binding, by name. */
  readonly windows: ReadonlyMap<string, RateWindow>
  /** What happens to a call that cannot be counted; by default the tool's hints decide. */
  readonly whenUnreachable: 'allow' | 'refuse' | undefined
}

/** What `createWorker` made of its options and of the registry: the same for every call of a Worker. */
export interface Settings {
  readonly registry: Registry
  /** The registry's entries, found by name and by URI, and their printed lists. */
  readonly entries: EntryIndex
  readonly serverInfo: Implementation
  /** The `serverInfo` entry of every result's `_meta`, as JSON text. */
  readonly serverMeta: string
  /** For the model: how to use this server well. */
  readonly instructions: string | null
  /** The path of the MCP endpoint, such as `/mcp`. */
  readonly endpoint: string
  /** The web pages that may call this server. */
  readonly origins: readonly string[] | '*'
  /** Whether the lists are plain documents, too. */
  readonly documents: boolean
  /** Who may call; `null` where every request is anonymous. */
  readonly guard: Guard | null
  /** Counts requests before their bodies are read. */
  readonly requestLimit: RequestLimit | null
  readonly limits: LimitSettings
  readonly audit: AuditSettings | null
  /** Bytes of UTF-8 that one result may have. */
  readonly maxResultBytes: number
  /** Entries a page; without it lists come whole. */
  readonly page: number | undefined
  /** The hints of lists that are the same for everybody. */
  readonly listHints: CacheHints
  /** Milliseconds for which an old list of resources will do while a new one is made. */
  readonly staleListsMs: number
  readonly discoverHints: CacheHints
  /** Where results are cached; `null` for nowhere. */
  readonly store: CacheStore | null
  /** Makes a result from its key alone, for the cache and in its stead. */
  readonly compute: ComputeResult
  /** Tells listening clients of a deploy, once an isolate. */
  readonly announcer: Announcer
  readonly openState: OpenState
  readonly openSanitizer: OpenSanitizer
}
