import type { RequestContext } from '../define/authenticator.ts'
import type { WorkerLog } from '../out/log.ts'
import { printNotification, printRequest } from '../out/print.ts'
import type { Sanitizer } from '../out/sanitizer.ts'
import { ReplyChannel } from '../out/stream.ts'
import { type TraceContext, readTraceContext } from '../out/trace.ts'
import type { Caller } from '../protocol/caller.ts'
import type { Failure } from '../protocol/failure.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import type { RequestId, ServerNotification, ServerRequest } from '../protocol/message.ts'
import type { Envelope } from '../protocol/meta.ts'
import type { Revision } from '../protocol/revisions/revision.ts'
import type { State } from '../state/state.ts'
import { toClientAddress } from '../util/address.ts'
import type { Session } from './legacy/session.ts'
import { toStreamIds } from './legacy/stream-ids.ts'
import type { Settings } from './settings.ts'

/**
 * The kinds of replies that a client accepts (basic/transports/streamable-http, "Sending
 * Messages").
 */
export interface AcceptedReply {
  /** The media type of a reply that does not stream. */
  readonly reply: 'application/json' | 'text/event-stream'
  /**
   * The client lists `text/event-stream`. A mere wildcard comes from simpler clients, which cannot
   * read streams.
   */
  readonly streams: boolean
  /** The client does not exclude streams, so a result that exists only as a stream may be sent. */
  readonly allowsStream: boolean
}

const onlyJson: AcceptedReply = { reply: 'application/json', streams: false, allowsStream: false }
const noEnvelope: Envelope = { clientCapabilities: {} }

/**
 * One request, from `fetch` to the reply. Each step adds what it finds out; parts that few calls
 * need are created when they are first read. No part of a call outlives it, because the next
 * request may be another caller's.
 */
export class Call {
  readonly settings: Settings
  readonly env: Cloudflare.Env
  /** `null` for a call that is created from a cache key. */
  readonly request: Request | null
  readonly headers: Headers
  readonly began: number = Date.now()

  /** What authenticators need; `null` for a call without credentials. */
  execution: RequestContext | null = null
  caller: Caller | null = null
  /** The digest of the caller, under which everything that belongs to the caller is stored. */
  callerDigest: string | null = null
  /** The `Origin` that may read the reply. */
  origin: string | null = null
  accepted: AcceptedReply = onlyJson
  /** The client has cancelled the request, and gets no response (2025-11-25, cancellation). */
  isCancelled = false
  /** The call has asked its client, and waits for the answers. */
  isAsking = false
  /** The complete reply has been sent, so later notifications are dropped. */
  isAnswered = false

  /** Sanitizes the result of a tool with a `sanitize` option, and nothing else. */
  resultSanitizer: Sanitizer | null = null

  /** The members of the JSON-RPC message, as far as it could be read. */
  id: RequestId | undefined = undefined
  method = ''
  params: JsonObject = {}
  /** A sentence about a large number in the message that parsing changed. */
  inexact: string | null = null
  envelope: Envelope = noEnvelope
  /** The revision of a client that begins with `initialize`; `null` for revision 2026-07-28. */
  revision: Revision | null = null
  /** What the client said in `initialize`, if it sends the session id that it got there. */
  session: Session | null = null

  readonly #context: RequestContext
  #sanitizer: Sanitizer | null = null
  #channel: ReplyChannel | null = null
  #state: State | null = null
  #releases: (() => Promise<void>)[] | null = null

  constructor(
    settings: Settings,
    env: Cloudflare.Env,
    context: RequestContext,
    request: Request | null,
  ) {
    this.settings = settings
    this.env = env
    this.#context = context
    this.request = request
    this.headers = request?.headers ?? noHeaders
  }

  /** The Worker's own Durable Object classes and entrypoints, which need no bindings here. */
  get exports(): unknown {
    // workerd creates a loopback for each export when this is first read
    return this.#context.exports
  }

  waitUntil(work: Promise<unknown>): void {
    this.#context.waitUntil(work)
  }

  /** Sanitizes everything that is sent, except for the results of a tool with a `sanitize` option. */
  get sanitizer(): Sanitizer {
    this.#sanitizer ??= this.settings.openSanitizer(this.env)
    return this.#sanitizer
  }

  get log(): WorkerLog {
    return this.settings.openLog(this.sanitizer)
  }

  /** The state that outlives the call. No Durable Object is called until it is used. */
  get state(): State {
    this.#state ??= this.settings.openState(this)
    return this.#state
  }

  get channel(): ReplyChannel {
    this.#channel ??= new ReplyChannel(
      this.request,
      (message) => this.#print(message),
      this.revision?.hasPriming === true ? () => toStreamIds(this) : null,
    )
    return this.#channel
  }

  #print(message: ServerNotification | ServerRequest): string {
    // a request has been converted to the revision
    if ('id' in message) return printRequest(message, this.sanitizer)
    return printNotification(this.revision?.toNotification(message) ?? message, this.sanitizer)
  }

  get signal(): AbortSignal {
    return this.channel.signal
  }

  /**
   * Sends a notification before the reply, which becomes a stream. Dropped if the client does not
   * accept streams.
   */
  emit(notification: ServerNotification): void {
    if (this.accepted.streams && !this.isAnswered) this.channel.open().send(notification)
  }

  /** Whether the call computes a result for the cache, from the cache key alone. */
  get isFromKey(): boolean {
    return this.request === null
  }

  /** Returns the failure for a caller without all of the needed scopes. */
  stepUp(needed: readonly string[]): Failure {
    const { guard } = this.settings
    // without a guard no caller can have them, as the log says at start
    if (guard === null || this.request === null) {
      return { kind: 'insufficient-scope', needed, challenge: 'Bearer' }
    }
    return guard.stepUp(this.request.url, this.caller, needed)
  }

  /**
   * Announces a deploy to listening clients, at the first call of an isolate that runs an author's
   * code.
   */
  announceDeploy(): void {
    const { announcer } = this.settings
    if (!announcer.isDone) this.waitUntil(announcer.announce(this))
  }

  get trace(): TraceContext | null {
    const meta = this.params['_meta']
    return isJsonObject(meta) && 'traceparent' in meta ? readTraceContext(meta) : null
  }

  /** The key under which limits count: the caller's digest, or the client's address. */
  get countedAs(): string {
    return this.callerDigest ?? toClientAddress(this.headers)
  }

  /**
   * Returns the same request as an anonymous caller would send it, for results that are the same
   * for all callers.
   */
  toAnonymous(method: string, params: JsonObject): Call {
    const call = new Call(this.settings, this.env, this.#context, this.request)
    call.method = method
    call.params = params
    return call
  }

  /** Returns a call of the same client for one message of a batch. */
  toPart(): Call {
    const part = new Call(this.settings, this.env, this.#context, this.request)
    part.execution = this.execution
    part.caller = this.caller
    part.callerDigest = this.callerDigest
    part.revision = this.revision
    part.session = this.session
    return part
  }

  /**
   * Registers a function to run when the call ends, such as one that releases a lease. The platform
   * cancels a request with its connection, so the call is kept alive until the function has run.
   */
  onEnd(release: () => Promise<void>): void {
    const ended = Promise.withResolvers<void>()
    this.waitUntil(ended.promise)
    const run = (): Promise<void> => release().finally(ended.resolve)
    this.#releases = [...(this.#releases ?? []), run]
  }

  /**
   * Runs the registered functions, after work that is `stopping` has ended; `null` if the reply need
   * not wait for them.
   */
  end(stopping: Promise<void> | null = null): Promise<unknown> | null {
    const releases = this.#releases
    if (releases === null) return null
    this.#releases = null
    const run = (): Promise<unknown> => Promise.all(releases.map((release) => release()))
    if (stopping === null) return run()
    void stopping.then(run)
    return null
  }
}

const noHeaders = new Headers()

/**
 * Returns whether a request has responses or a state: its result depends on more than a cache key
 * contains.
 */
export function isRetry({ inputResponses, requestState }: JsonObject): boolean {
  return inputResponses !== undefined || requestState !== undefined
}
