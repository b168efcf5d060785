import type { CacheHints } from '../wire/outcome.ts'

/** What the methods of resources and prompts take from the server's configuration. */
export interface MethodSettings {
  /** Entries a page; lists come whole unless this is set. */
  readonly page?: number
  /** The hints of lists that are the same for everybody. */
  readonly lists: CacheHints
  /** Bytes that one result may have. */
  readonly maxResultBytes: number
}
