import type { Caller } from './caller.ts'
import type { Failure } from './failure.ts'
import type { ServerNotification } from './message.ts'

/**
 * What came with a message besides its body, and the way back while it is being answered. Each room
 * of the walk reads it; none keeps it, since the next request may be anybody's (basic/index,
 * "Statelessness").
 */
export interface Exchange {
  readonly headers: Headers
  readonly env: Cloudflare.Env
  /** Who asks, or `null` where nobody had to say. */
  readonly caller: Caller | null
  /** A digest of who asks: what is kept for a caller is kept under it. */
  readonly callerDigest: string | null
  /** What a caller is told who lacks scopes that an operation needs: all of them at once. */
  readonly stepUp: (needed: readonly string[]) => Failure
  /** Takes this Worker's secrets out of a text: for the log, and for what goes out. */
  readonly mask: (text: string) => string
  /** `ctx.exports`: this Worker's own Durable Object classes are found there without bindings. */
  readonly exports: unknown
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal
  /**
   * Sends a notification ahead of the reply, which then becomes a stream. It goes nowhere once the
   * reply is complete, and where the client takes no stream.
   */
  readonly emit: (notification: ServerNotification) => void
  /** Keeps the Worker alive for work that the reply does not wait for. */
  readonly waitUntil: (work: Promise<unknown>) => void
}
