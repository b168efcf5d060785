/** What a completion works with (server/utilities/completion). */
export interface Completing {
  /** What the user has typed so far; may be empty. */
  readonly value: string
  /** The other arguments that the user has chosen already, as text that nobody has checked. */
  readonly chosen: Readonly<Record<string, string>>
  readonly env: Cloudflare.Env
  /** Aborts at the time limit and when the client has gone: pass it to `fetch`. */
  readonly signal: AbortSignal
}

/**
 * Suggestions, the best first. Clients are sent the first hundred; `total` says how many there are
 * where `values` are not all of them.
 */
export type Suggestions =
  | readonly string[]
  | { readonly values: readonly string[]; readonly total?: number }

/** Suggests values for one argument of a prompt or one variable of a URI template. */
export type Completer = (context: Completing) => Suggestions | Promise<Suggestions>

/** A completer for each argument that has one. Those with an `enum` in the schema need none. */
export type Completers<Name extends string> = { readonly [Key in Name]?: Completer }
