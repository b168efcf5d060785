import type { Keep } from '../cache/fill.ts'
import type { CallSettings } from '../calls/call.ts'
import type { ResourceLookup } from '../registry/resource-lookup.ts'
import type { CacheHints } from '../wire/outcome.ts'

/** What it takes to make answers that may be kept. */
export interface FillSettings extends CallSettings {
  /** Finds the resource of a URI: made once, as it compiles every template. */
  readonly lookup: ResourceLookup
  /** Entries a page; lists come whole unless this is set. */
  readonly page?: number
  /** The hints of lists that are the same for everybody. */
  readonly lists: CacheHints
  /** Milliseconds for which an old list will do while a new one is made. */
  readonly staleListsMs: number
}

/** What the methods take from the server's configuration. */
export interface MethodSettings extends FillSettings {
  /** Gives answers that may be kept. */
  readonly keep: Keep
}
