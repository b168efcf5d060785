import type { CallSettings } from '../calls/call.ts'
import type { CacheHints } from '../wire/outcome.ts'

/** What the methods take from the server's configuration. */
export interface MethodSettings extends CallSettings {
  /** Entries a page; lists come whole unless this is set. */
  readonly page?: number
  /** The hints of lists that are the same for everybody. */
  readonly lists: CacheHints
}
