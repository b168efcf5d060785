import { createCallerDigest } from '../auth/request/caller-digest.ts'
import type { Guard } from '../auth/request/guard.ts'
import type { RequestLimit } from '../auth/request/request-limit.ts'
import type { Exchange } from '../protocol/exchange.ts'
import type { Failure } from '../protocol/failure.ts'
import type { RequestId, RequestMessage } from '../protocol/message.ts'
import { type Outcome, type StreamedOutcome, fail } from '../protocol/outcome.ts'
import { toClientAddress } from '../util/address.ts'
import { logIncident } from '../out/log.ts'
import type { Mask } from '../out/mask.ts'
import { readJson } from './json.ts'
import {
  type Accepted,
  type MediaType,
  isJsonContentType,
  readAccept,
  readBody,
  readMessage,
} from './read-request.ts'
import { type Channel, type EventStream, createChannel } from './stream.ts'

/** What the transport hands a request to: everything that is not HTTP. */
export type Handle = (message: RequestMessage, exchange: Exchange) => Outcome | Promise<Outcome>

/** What a message came in. */
export interface Inbound {
  readonly request: Request
  readonly env: Cloudflare.Env
  readonly ctx: ExecutionContext
  readonly accepted: Accepted
  readonly admitted: Admitted
  readonly mask: Mask
}

/**
 * Has a request answered. The reply is JSON if it is there before anything is sent ahead of it, and
 * otherwise a stream (basic/transports/streamable-http, "Receiving Messages").
 */
async function answerMessage(
  message: RequestMessage,
  inbound: Inbound,
  handle: Handle,
): Promise<Answer> {
  const { request, accepted, mask } = inbound
  const { id, method } = message
  const channel = createChannel(request, accepted.streams)
  const running = run(method, mask, () => handle(message, new Arrival(inbound, channel)))
  const first = running instanceof Promise ? await channel.race(running) : running
  if ('body' in first) {
    const outcome = Promise.resolve(running).then((outcome) =>
      toFinal(outcome, first, method, mask),
    )
    return { kind: 'stream', id, stream: first, outcome }
  }
  if (first.kind !== 'stream') {
    return { kind: 'reply', id, mediaType: accepted.reply, outcome: first }
  }
  if (!accepted.allowsStream) {
    return refuse({ kind: 'not-acceptable', accept: request.headers.get('Accept') ?? '' }, id)
  }
  const stream = channel.open()
  return { kind: 'stream', id, stream, outcome: toFinal(first, stream, method, mask) }
}

/** Runs a streamed outcome on its stream; any other is final already. */
async function toFinal(
  outcome: Outcome,
  stream: EventStream,
  method: string,
  mask: Mask,
): Promise<FinalOutcome> {
  if (outcome.kind !== 'stream') return outcome
  const { run: runStream } = outcome
  return run<FinalOutcome>(method, mask, async () => ({
    kind: 'result',
    ...(await runStream(stream)),
  }))
}

/** Keeps what a handler throws from the client, and tells the log. */
function run<Ran extends Outcome>(
  method: string,
  mask: Mask,
  work: () => Ran | Promise<Ran>,
): Ran | Failed | Promise<Ran | Failed> {
  const toFailed = (error: unknown): Failed => {
    return fail({ kind: 'internal', errorId: logIncident(method, error, mask) })
  }
  try {
    const ran = work()
    return ran instanceof Promise ? ran.catch(toFailed) : ran
  } catch (error) {
    return toFailed(error)
  }
}

type Failed = ReturnType<typeof fail>

/**
 * What the rooms behind the transport see of a request. A class, because V8 makes the getters of an
 * object literal anew for each object, which takes longer than all the rest of it.
 */
export class Arrival implements Exchange {
  readonly headers: Headers
  readonly env: Cloudflare.Env
  readonly caller: Exchange['caller']
  readonly callerDigest: string | null
  readonly stepUp: Exchange['stepUp']
  readonly mask: Exchange['mask']
  readonly emit: Exchange['emit']
  readonly #ctx: ExecutionContext
  readonly #channel: Channel

  constructor({ request, env, ctx, admitted, mask }: Omit<Inbound, 'accepted'>, channel: Channel) {
    this.headers = request.headers
    this.env = env
    this.caller = admitted.caller
    this.callerDigest = admitted.callerDigest
    this.stepUp = admitted.stepUp
    this.mask = mask
    this.emit = channel.emit
    this.#ctx = ctx
    this.#channel = channel
  }

  // workerd makes a loopback for each export when it is first read, which few requests need
  get exports(): unknown {
    return this.#ctx.exports
  }

  get signal(): AbortSignal {
    return this.#channel.signal()
  }

  waitUntil(work: Promise<unknown>): void {
    this.#ctx.waitUntil(work)
  }
}

/** Ends a walk early; the id is there as soon as it could be read. */
export interface Refusal {
  readonly kind: 'refusal'
  readonly failure: Failure
  readonly id?: RequestId
}

/** An outcome that one message says. */
export type FinalOutcome = Exclude<Outcome, StreamedOutcome>

/** What the walk of one HTTP request comes to. `respond` alone makes a `Response` of it. */
export type Answer =
  | Refusal
  | { readonly kind: 'preflight'; readonly requestedHeaders: string }
  | { readonly kind: 'options'; readonly allow: string }
  /** The protected resource metadata (RFC 9728). */
  | { readonly kind: 'metadata'; readonly document: object }
  | { readonly kind: 'metadata-preflight' }
  /** A list as a plain document, or that it has not changed. */
  | {
      readonly kind: 'document'
      readonly status: 200 | 304 | 400 | 500
      readonly body: string | null
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'reply'
      readonly id: RequestId
      readonly mediaType: MediaType
      readonly outcome: FinalOutcome
    }
  | {
      readonly kind: 'stream'
      readonly id: RequestId
      readonly stream: EventStream
      /** What ends the stream; it never rejects. */
      readonly outcome: Promise<FinalOutcome>
    }

/** Makes a {@link Refusal} of a {@link Failure}. */
export function refuse(failure: Failure, id?: RequestId): Refusal {
  return id === undefined ? { kind: 'refusal', failure } : { kind: 'refusal', failure, id }
}

/**
 * Receives one JSON-RPC message (basic/transports/streamable-http, "Sending Messages"). The headers
 * are judged first, so that nothing is read, and nothing has run, when a request is refused by them.
 */
export async function receive(arrived: Omit<Inbound, 'accepted'>, handle: Handle): Promise<Answer> {
  const { request } = arrived
  const { headers } = request
  const contentType = headers.get('Content-Type') ?? 'missing'
  if (!isJsonContentType(contentType))
    return refuse({ kind: 'unsupported-media-type', contentType })
  const accept = headers.get('Accept') || '*/*'
  const accepted = readAccept(accept)
  if (accepted === null) return refuse({ kind: 'not-acceptable', accept })

  const text = await readBody(request)
  if (typeof text !== 'string') return text
  const json = readJson(text)
  if (json.kind === 'refusal') return json
  const message = readMessage(json.value)
  if (message.kind === 'refusal') return message
  // no method of MCP is a notification from the client: there is nothing to do with one
  if (message.kind === 'notification') return { kind: 'accepted' }
  return await answerMessage(message, { ...arrived, accepted }, handle)
}

/** What the door found out about who is calling. */
type Admitted = Pick<Exchange, 'caller' | 'callerDigest' | 'stepUp'>

/** Lets a request in, as somebody or as nobody, or refuses it before its body is read. */
type Door = (
  request: Request,
  env: Cloudflare.Env,
  ctx: ExecutionContext,
) => Admitted | Promise<Admitted | Refusal>

/** Makes the door of the endpoint. Without a guard everybody is nobody in particular. */
export function createDoor(guard: Guard | null, limit: RequestLimit | null): Door {
  const identify = createIdentify(guard)
  if (limit === null) return identify
  return async (request, env, ctx) => {
    const admitted = await identify(request, env, ctx)
    if ('kind' in admitted) return admitted
    const who = admitted.callerDigest ?? toClientAddress(request.headers)
    const limited = await limit(who, env)
    return limited === null ? admitted : refuse({ kind: 'rate-limited', ...limited })
  }
}

function createIdentify(guard: Guard | null): Door {
  if (guard === null) return () => nobody
  const digest = createCallerDigest()
  return async (request, env, ctx) => {
    const admission = await guard.admit(request, env, ctx)
    if (admission.kind === 'refused') return refuse(admission.failure)
    const { caller } = admission
    return {
      caller,
      callerDigest: caller === null ? null : await digest(caller),
      stepUp: (needed) => guard.stepUp(request.url, caller, needed),
    }
  }
}

/** Who asks where nobody had to say. */
export const nobody: Admitted = {
  caller: null,
  callerDigest: null,
  // createWorker refuses to start with scopes and without `auth`
  stepUp: (needed) => ({ kind: 'insufficient-scope', needed, challenge: 'Bearer' }),
}
