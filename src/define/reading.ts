import type { Working } from './running.ts'

/** What `read` works with; who asks is known only where the resource may differ by that. */
export interface Reading<Params> extends Omit<Working<never>, 'input' | 'caller'> {
  /** The URI as the client wrote it. */
  readonly uri: string
  readonly params: Params
}

/** What `list` works with. */
export interface Listing {
  /** The `next` of the page before. It comes back through the client: check it like any input. */
  readonly cursor: string | undefined
  readonly env: Cloudflare.Env
  /** Aborts at the time limit and when the client has gone: pass it to `fetch`. */
  readonly signal: AbortSignal
}

/** What `read` is told where the definition has an `ask`. */
export interface WithAnswers<Answered> {
  /** What was answered to the questions of `ask`. */
  readonly answers: Answered
}
