import { WorkerLog } from '../out/log.ts'
import { printNotification } from '../out/print.ts'
import type { Sanitizer } from '../out/sanitizer.ts'
import { ReplyChannel } from '../out/stream.ts'
import { type TraceContext, readTraceContext } from '../out/trace.ts'
import type { Caller } from '../protocol/caller.ts'
import type { Failure } from '../protocol/failure.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import type { RequestId, ServerNotification } from '../protocol/message.ts'
import type { Envelope } from '../protocol/meta.ts'
import type { State } from '../state/state.ts'
import { toClientAddress } from '../util/address.ts'
import type { Settings } from './settings.ts'

/** What the platform gives a call: an `ExecutionContext`, or the part of one that a cached entrypoint has. */
export interface PlatformContext {
  readonly exports: unknown
  waitUntil(work: Promise<unknown>): void
}

/** How the client may be answered (basic/transports/streamable-http, "Sending Messages"). */
export interface AcceptedReply {
  /** The media type of a reply that does not stream. */
  readonly reply: 'application/json' | 'text/event-stream'
  /** The client names streams, so a reply may become one. A mere wildcard comes from simpler clients. */
  readonly streams: boolean
  /** The client refuses no stream, so what can be nothing else may be one. */
  readonly allowsStream: boolean
}

const onlyJson: AcceptedReply = { reply: 'application/json', streams: false, allowsStream: false }
const noEnvelope: Envelope = { clientCapabilities: {} }

/**
 * One request, from `fetch` to the reply. Each step adds what it found out; what few calls need is
 * made when it is first read. The next request may be anybody's: nothing keeps a call.
 */
export class Call {
  readonly settings: Settings
  readonly env: Cloudflare.Env
  /** The HTTP request; `null` for a call that is made from a cache key. */
  readonly request: Request | null
  readonly headers: Headers
  readonly began: number = Date.now()

  /** Who calls; `null` for an anonymous caller. */
  caller: Caller | null = null
  /** A digest of who calls: what is kept for a caller is kept under it. */
  callerDigest: string | null = null
  /** The `Origin` that may read the reply. */
  origin: string | null = null
  accepted: AcceptedReply = onlyJson
  /** The reply has gone out whole: what is sent from now on has nowhere to go. */
  isAnswered = false

  /** Cleans the result of a tool with a `sanitize` option: nothing else that leaves is for it. */
  resultSanitizer: Sanitizer | null = null

  /** The JSON-RPC message, as far as it was read. */
  id: RequestId | undefined = undefined
  method = ''
  params: JsonObject = {}
  envelope: Envelope = noEnvelope

  readonly #context: PlatformContext
  #sanitizer: Sanitizer | null = null
  #channel: ReplyChannel | null = null
  #state: State | null = null
  #releases: (() => Promise<void>)[] | null = null

  constructor(
    settings: Settings,
    env: Cloudflare.Env,
    context: PlatformContext,
    request: Request | null,
  ) {
    this.settings = settings
    this.env = env
    this.#context = context
    this.request = request
    this.headers = request?.headers ?? noHeaders
  }

  /** This Worker's own Durable Object classes and entrypoints: they are found there without bindings. */
  get exports(): unknown {
    // workerd makes a loopback for each export when this is first read
    return this.#context.exports
  }

  /** Keeps the Worker alive for work that the reply does not wait for. */
  waitUntil(work: Promise<unknown>): void {
    this.#context.waitUntil(work)
  }

  /** Cleans everything that leaves, except for the results of a tool with a `sanitize` option. */
  get sanitizer(): Sanitizer {
    this.#sanitizer ??= this.settings.openSanitizer(this.env)
    return this.#sanitizer
  }

  get log(): WorkerLog {
    return new WorkerLog(this.sanitizer)
  }

  /** Everything that outlives the call. Nothing is woken until it is used. */
  get state(): State {
    this.#state ??= this.settings.openState(this)
    return this.#state
  }

  /** The way back to the client while the call is being answered. */
  get channel(): ReplyChannel {
    this.#channel ??= new ReplyChannel(this.request, (notification) =>
      printNotification(notification, this.sanitizer),
    )
    return this.#channel
  }

  /** Aborts when the client has gone. */
  get signal(): AbortSignal {
    return this.channel.signal
  }

  /** Sends a notification ahead of the reply, which then becomes a stream, if the client takes one. */
  emit(notification: ServerNotification): void {
    if (this.accepted.streams && !this.isAnswered) this.channel.open().send(notification)
  }

  /** Whether this call makes a result for the cache, from its key alone. */
  get isFromKey(): boolean {
    return this.request === null
  }

  /** What a caller is told who lacks scopes that an operation needs: all of them at once. */
  stepUp(needed: readonly string[]): Failure {
    const { guard } = this.settings
    // createWorker refuses to start with scopes and without `auth`
    if (guard === null || this.request === null) {
      return { kind: 'insufficient-scope', needed, challenge: 'Bearer' }
    }
    return guard.stepUp(this.request.url, this.caller, needed)
  }

  /** Announces a deploy to listening clients, by the first call of an isolate that runs an author's code. */
  announceDeploy(): void {
    const { announcer } = this.settings
    if (!announcer.isDone) this.waitUntil(announcer.announce(this))
  }

  /** The trace that the request belongs to (basic/index, "OpenTelemetry trace context"). */
  get trace(): TraceContext | null {
    const meta = this.params['_meta']
    return isJsonObject(meta) && 'traceparent' in meta ? readTraceContext(meta) : null
  }

  /** Whom limits count: the caller, or else the client's address. */
  get countedAs(): string {
    return this.callerDigest ?? toClientAddress(this.headers)
  }

  /** The same request as an anonymous caller would send it, for what is the same for everybody. */
  toAnonymous(method: string, params: JsonObject): Call {
    const call = new Call(this.settings, this.env, this.#context, this.request)
    call.method = method
    call.params = params
    return call
  }

  /** Registers what has to be given back when the call has ended, such as a place among parallel calls. */
  onEnd(release: () => Promise<void>): void {
    this.#releases = [...(this.#releases ?? []), release]
  }

  /** Gives everything back; `null` where there is nothing, which is nearly always. */
  end(): Promise<unknown> | null {
    const releases = this.#releases
    this.#releases = null
    return releases === null ? null : Promise.all(releases.map((release) => release()))
  }
}

const noHeaders = new Headers()

/** Whether a request brings answers: its result depends on what is not part of any cache key. */
export function isRetry({ inputResponses, requestState }: JsonObject): boolean {
  return inputResponses !== undefined || requestState !== undefined
}
