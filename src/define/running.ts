import type { Caller } from '../wire/caller.ts'
import type { Json } from '../wire/json.ts'
import type { LogLevel } from '../wire/log-level.ts'
import type { Handles } from './handles.ts'
import type { Notify } from './notify.ts'
import type { Purge } from './purge.ts'
import type { AskingCapability } from './question.ts'
import type { Trace } from './trace.ts'
import type { Opened, Readable, Uses } from './uses.ts'

/** What the work is told where its result is for one caller only. */
export interface WithCaller {
  /** Who asks, or `null` where nobody had to say. */
  readonly caller: Caller | null
}

/** What every piece of an author's code works with. */
export interface Working<Input> extends WithCaller {
  readonly input: Input
  readonly env: Cloudflare.Env
  /** Aborts at the time limit and when the client has gone: pass it to `fetch`. */
  readonly signal: AbortSignal
  readonly log: Log
  readonly trace: Trace
}

/** Which kinds of questions the client can answer. */
export type Abilities = Readonly<Record<AskingCapability, boolean>>

/** What is known while questions are being worked out. */
export interface Deciding {
  /** The answers so far; those of questions that were not asked yet are not there. */
  readonly answers: Readonly<Record<string, unknown>>
  readonly can: Abilities
}

/** What a tool's `ask` works with. It only looks things up: `run` is for what changes anything. */
export interface Asking<Input, U extends Uses>
  extends Working<Input>, Deciding, Pick<Handles, 'read' | 'list'> {
  readonly use: Readable<U>
}

/** What a tool's `run` works with. Nothing reaches a tool by any other way. */
export interface Running<Input, Answered, U extends Uses> extends Working<Input>, Handles {
  /** What was answered to the questions of `ask`. */
  readonly answers: Answered
  readonly use: Opened<U>
  readonly notify: Notify
  /** Has what is kept made anew, where nobody has to be told; `notify` purges by itself. */
  readonly purge: Purge
  readonly progress: Progress
}

/**
 * What the `run` of a tool with `cache` works with. The call that it runs for is only the first of
 * many: there is nobody to send progress to, and no handle, question or trace of one caller.
 */
export type Caching<Input> = Omit<Working<Input>, 'caller' | 'trace'>

/**
 * Tells the client how far a call is, where it asked to be told. `done` must grow from one call to
 * the next: what does not is not sent (basic/patterns/progress).
 */
export type Progress = (done: number, total?: number, message?: string) => void

/**
 * Writes to the Worker's log, and to the client where the request asks for the level. Never log what
 * the client must not see (server/utilities/logging).
 */
export type Log = Readonly<Record<LogLevel, (message: string, detail?: Json) => void>>
