import type { RequestLimit } from '../auth/request/request-limit.ts'
import type { Guard } from '../auth/request/guard.ts'
import type { ComputeResult, CacheStore } from '../cache/read-through.ts'
import type { Registry } from '../define/registry.ts'
import type { AuditSettings } from '../out/audit.ts'
import type { WorkerLog } from '../out/log.ts'
import type { OpenSanitizer, Sanitizer } from '../out/sanitizer.ts'
import type { Implementation } from '../protocol/content.ts'
import type { CacheHints } from '../protocol/outcome.ts'
import type { Announcer } from '../state/hub.ts'
import type { OpenState } from '../state/state.ts'
import type { RateWindow } from '../util/rate-limit.ts'
import type { EntryIndex } from './entries.ts'
import type { CancelledCalls } from './legacy/cancelled-calls.ts'
import type { Sessions } from './legacy/session.ts'

export interface LimitSettings {
  /** The `[[ratelimits]]` bindings of wrangler.toml, by name. */
  readonly windows: ReadonlyMap<string, RateWindow>
  /**
   * What happens if a limit cannot be reached. By default only calls of `destructive` tools are
   * refused.
   */
  readonly whenUnreachable: 'allow' | 'refuse' | undefined
}

/** The checked options of `createWorker` and the registry: the same for every call of a Worker. */
export interface Settings {
  readonly registry: Registry
  readonly entries: EntryIndex
  readonly serverInfo: Implementation
  /** The `serverInfo` entry of every result's `_meta`, as JSON text. */
  readonly serverMeta: string
  /** For the model: how to use this server well. */
  readonly instructions: string | null
  readonly endpoint: string
  /** The revisions that are served, newest first: those that begin with `initialize` may be off. */
  readonly versions: readonly string[]
  /** Whether clients that begin with `initialize` are served. */
  readonly legacy: boolean
  readonly sessions: Sessions
  readonly cancelledCalls: CancelledCalls
  readonly origins: readonly string[] | '*'
  /** Whether lists are also served as documents, by GET. */
  readonly documents: boolean
  /** `null` if every request is anonymous. */
  readonly guard: Guard | null
  readonly requestLimit: RequestLimit | null
  readonly limits: LimitSettings
  readonly audit: AuditSettings | null
  readonly maxResultBytes: number
  readonly page: number | undefined
  /** The caching hints of lists that are the same for all callers. */
  readonly listHints: CacheHints
  /** Milliseconds for which a stale list of resources is served while a new one is computed. */
  readonly staleListsMs: number
  readonly discoverHints: CacheHints
  /** `null` if results are not cached. */
  readonly store: CacheStore | null
  /** Computes a result from its cache key, for the cache and without one. */
  readonly compute: ComputeResult
  /** Listen streams that one caller, or one address of anonymous callers, may have open. */
  readonly listenersPerCaller: number
  readonly announcer: Announcer
  readonly openState: OpenState
  readonly openSanitizer: OpenSanitizer
  /** Opens the log of a call; that of `helve/testing` keeps the lines for the test. */
  readonly openLog: (sanitizer: Sanitizer) => WorkerLog
}
