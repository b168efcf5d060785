import type { Caller } from '../protocol/caller.ts'
import type { Json } from '../protocol/json.ts'
import type { LogLevel } from '../protocol/meta.ts'
import type { Handles, Opened, Readable, Uses } from './handles.ts'
import type { AskingCapability } from './question.ts'

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

/** The trace that a request is a part of, if its client says so (basic/index, "_meta"). */
export interface Trace {
  /** 32 hexadecimal digits; `null` where the client sent no trace. */
  readonly id: string | null
  /**
   * Headers that make a `fetch` a part of the trace, a span of its own each time they are read: put
   * them into its `headers`. They are empty without a trace. `baggage` is the client's own: send it
   * only to whom it may concern.
   */
  readonly headers: Readonly<Record<string, string>>
}

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

/** Narrows a notification to the callers that have all of these scopes. */
export interface Audience {
  readonly scopes: readonly string[]
}

/**
 * Tells listening clients that something changed, in every isolate (basic/patterns/subscriptions), and
 * purges what is kept of it first, so that whoever comes for the new gets no old. Each resolves when
 * the hub has taken the event, and throws when it cannot be reached.
 */
export interface Notify {
  readonly toolsChanged: (audience?: Audience) => Promise<void>
  readonly promptsChanged: (audience?: Audience) => Promise<void>
  readonly resourcesChanged: (audience?: Audience) => Promise<void>
  /** Reaches the subscribers of exactly this URI. */
  readonly resourceUpdated: (uri: string, audience?: Audience) => Promise<void>
}

/** What is to be made anew when it is next asked for. */
export interface Purged {
  /** The kept results of these tools, or of all. */
  readonly tools?: readonly string[] | 'all'
  /** What was read at these URIs. A template, as it is written in `uri`, stands for all of its own. */
  readonly resources?: readonly string[]
  /** The kept lists of resources. */
  readonly lists?: boolean
}

/**
 * Purges kept answers, wherever in the world they are kept. `notify` does it by itself for what it
 * tells of; this is for what nobody is told of, such as the results of a tool.
 *
 * @throws {TypeError} for a tool or a resource that there is not.
 * @throws {Error} when the platform refuses, which it does from a few purges a minute on.
 */
export type Purge = (what: Purged | 'everything') => Promise<void>
