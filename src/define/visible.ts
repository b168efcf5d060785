import type { Caller } from '../wire/caller.ts'

/** Who looks at the server, and what it runs with. */
export interface Viewer {
  readonly caller: Caller | null
  readonly env: Cloudflare.Env
}

/** What may be there for some and not for others. */
export interface Visible {
  /**
   * Whether this viewer may know of it and use it: a feature flag, or a matter of who is calling.
   * Everybody may unless said. Where it answers no, or throws, there is no such thing: in lists, by
   * name, and for notifications. A list with such an entry is `private` to each caller. When the
   * answer changes, tell the clients with `notify`.
   */
  visible?(viewer: Viewer): boolean | Promise<boolean>
}
