import type { Caller } from '../wire/caller.ts'

/** Who looks at the server, and what it runs with. */
export interface Viewer {
  readonly caller: Caller | null
  readonly env: Cloudflare.Env
}

/** What may be there for some and not for others. */
export interface Visible {
  /**
   * What a caller needs to see and use it, all of them. Others do not find it in lists; whoever asks
   * for it by name is told which scopes to bring (403, basic/authorization, "Step-Up").
   */
  readonly scopes?: readonly string[]
  /** Callers without the scopes are told that there is no such thing, instead of what they lack. */
  readonly conceal?: boolean
  /**
   * Whether this viewer may know of it and use it: a feature flag, or a matter of who is calling.
   * Everybody may unless said. Where it answers no, or throws, there is no such thing: in lists, by
   * name, and for notifications. When the answer changes, tell the clients with `notify`.
   *
   * A list is `private` to each caller where an entry of it has one of these.
   */
  visible?(viewer: Viewer): boolean | Promise<boolean>
}
