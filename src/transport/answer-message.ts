import { logIncident, type Mask } from '../kit/incident.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { RequestMessage } from '../wire/message.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import type { Accepted } from './accept.ts'
import { refuse, type Answer, type FinalOutcome } from './answer.ts'
import type { Admitted } from './door.ts'
import { Arrival } from './arrival.ts'
import { createChannel } from './channel.ts'
import type { EventStream } from './event-stream.ts'

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
export async function answerMessage(
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
