import type { Caller } from '../protocol/caller.ts'
import type { Json } from '../protocol/json.ts'
import type { LogLevel } from '../protocol/meta.ts'
import type { Handles, OpenedHandles, ReadableHandles, Uses } from './handles.ts'
import type { AskingCapability } from './question.ts'

/** The part of a context whose result is for one caller. */
export interface WithCaller {
  /** The caller, or `null` if the request is anonymous. */
  readonly caller: Caller | null
}

/** The part that the contexts of tools, resources and prompts share. */
export interface CallContext<Input> extends WithCaller {
  readonly input: Input
  readonly env: Cloudflare.Env
  /** Aborts at the time limit and when the client disconnects: pass it to `fetch`. */
  readonly signal: AbortSignal
  readonly log: Log
  readonly trace: Trace
}

/** The kinds of questions that the client supports. */
export type Abilities = Readonly<Record<AskingCapability, boolean>>

/** The part of a context that `ask` has in tools, resources and prompts. */
export interface QuestionContext {
  /** The answers of earlier rounds, by key. */
  readonly answers: Readonly<Record<string, unknown>>
  readonly can: Abilities
}

/** The context of `ask` in a tool. It can read handles but not change them: that is for `run`. */
export interface AskContext<Input, U extends Uses>
  extends CallContext<Input>, QuestionContext, Pick<Handles, 'read' | 'list'> {
  readonly use: ReadableHandles<U>
}

export interface RunContext<Input, Answered, U extends Uses> extends CallContext<Input>, Handles {
  readonly answers: Answered
  readonly use: OpenedHandles<U>
  readonly notify: Notify
  /** Removes cached results without a notification. `notify` already purges what it announces. */
  readonly purge: Purge
  readonly progress: Progress
}

/**
 * The context of `run` in a tool with `cache`. The result is used for many calls, so there is no
 * progress, handle, question or trace of a single call. `caller` is there unless the tool is shared.
 */
export type CachedRunContext<Input> = Omit<CallContext<Input>, 'caller' | 'trace'>

/**
 * Reports progress if the client asked for it. `done` must increase with each report: others are not
 * sent (basic/patterns/progress).
 */
export type Progress = (done: number, total?: number, message?: string) => void

/**
 * Writes to the Worker's log, and to the client if the request asks for that level. Do not log what
 * the client must not see (server/utilities/logging).
 */
export type Log = Readonly<Record<LogLevel, (message: string, detail?: Json) => void>>

/** The context of `read` in a resource. `caller` is added unless the resource is shared. */
export interface ReadContext<Params> extends Omit<CallContext<never>, 'input' | 'caller'> {
  /** The URI in normal form; see docs/resources.md. */
  readonly uri: string
  readonly params: Params
}

/** The context of `list` in a resource. `caller` is added unless the resource is shared. */
export interface ListContext {
  /** The `next` of the previous page. Check it like any input: it comes from the client. */
  readonly cursor: string | undefined
  readonly env: Cloudflare.Env
  /** Aborts at the time limit and when the client disconnects: pass it to `fetch`. */
  readonly signal: AbortSignal
}

export interface WithAnswers<Answered> {
  readonly answers: Answered
}

/** The trace of the request, from `traceparent` in its `_meta` (basic/index, "_meta"). */
export interface Trace {
  /** 32 hexadecimal digits, or `null` if the client sent no trace. */
  readonly id: string | null
  /**
   * The headers that make a `fetch` part of the trace. Each read starts a new span. They are empty
   * without a trace. `baggage` comes from the client: send it only to services that may see it.
   */
  readonly headers: Readonly<Record<string, string>>
}

export interface VisibleContext {
  readonly caller: Caller | null
  readonly env: Cloudflare.Env
}

/** Which callers can see and use an entry. */
export interface VisibilityOptions {
  /**
   * The scopes that a caller must have, all of them. For other callers the entry is not in lists, and
   * a request for it by name is refused with the missing scopes (403, basic/authorization, "Step-Up").
   */
  readonly scopes?: readonly string[]
  /** Callers without the scopes get "not found" instead of the missing scopes. */
  readonly conceal?: boolean
  /**
   * Returns whether the caller can see and use the entry, for example by a feature flag. By default
   * all callers can. If it returns false or throws, the entry does not exist for this caller: in lists,
   * by name and in notifications. Call `notify` when the answer changes.
   *
   * A list with such an entry is `private` to each caller.
   */
  visible?(context: VisibleContext): boolean | Promise<boolean>
}

/** Limits a notification to the callers that have all of these scopes. */
export interface NotifyOptions {
  readonly scopes: readonly string[]
}

/**
 * Notifies listening clients of a change, in every isolate (basic/patterns/subscriptions). The cached
 * results that it concerns are purged first, so that clients read new ones. Each function resolves
 * when the hub has accepted the event, and throws if the hub cannot be reached.
 */
export interface Notify {
  readonly toolsChanged: (options?: NotifyOptions) => Promise<void>
  readonly promptsChanged: (options?: NotifyOptions) => Promise<void>
  readonly resourcesChanged: (options?: NotifyOptions) => Promise<void>
  /** Notifies the subscribers of this URI, in whatever spelling. */
  readonly resourceUpdated: (uri: string, options?: NotifyOptions) => Promise<void>
}

/** Which cached results to remove. */
export interface Purged {
  /** The results of these tools, or of all tools. */
  readonly tools?: readonly string[] | 'all'
  /** The contents at these URIs. A template, as written in `uri`, means all of its resources. */
  readonly resources?: readonly string[]
  /** The lists of resources. */
  readonly lists?: boolean
}

/**
 * Removes cached results in all data centres. `notify` already purges what it announces; use this for
 * changes without a notification, such as the results of a tool.
 *
 * @throws {TypeError} for an unknown tool or resource.
 * @throws {Error} when the platform refuses: it allows only a few purges a minute.
 */
export type Purge = (what: Purged | 'everything') => Promise<void>
