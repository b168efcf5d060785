import type { Caller } from '../wire/caller.ts'
import type { Working } from './running.ts'

/** What `read` works with. */
export interface Reading<Params> extends Omit<Working<never>, 'input'> {
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

/** What the work is told where its result is for one caller only. */
export interface WithCaller {
  /** Who asks, or `null` where nobody had to say. */
  readonly caller: Caller | null
}

/** What `read` is told where the definition has an `ask`. */
export interface WithAnswers<Answered> {
  /** What was answered to the questions of `ask`. */
  readonly answers: Answered
}
