/**
 * What came with a message besides its body. Each room of the walk reads it; none keeps it, since
 * the next request may be anybody's (basic/index, "Statelessness").
 */
export interface Exchange {
  readonly headers: Headers
  readonly env: Cloudflare.Env
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal
}
