import type { Audit } from '../calls/audit/audit.ts'
import type { Envelope } from '../wire/envelope.ts'
import type { Exchange } from '../wire/exchange.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import type { RequestMessage } from '../wire/message.ts'
import { readEnvelope } from './envelope.ts'
import { isRetry } from './retry.ts'

/** Answers one method. Its envelope is sound; the rest of the parameters are still the client's. */
export type Method = (
  message: RequestMessage,
  exchange: Exchange,
  envelope: Envelope,
) => Outcome | Promise<Outcome>

/** The methods that this server has, by name: a `Map`, as clients choose what is looked up. */
export type Methods = ReadonlyMap<string, Method>

/** Answers a request: envelope first, then the method. */
export type Answer = (message: RequestMessage, exchange: Exchange) => Outcome | Promise<Outcome>

/** Makes the function that answers every request, and writes a line about each unless told not to. */
export function createProtocol(methods: Methods, audit: Audit | null = null): Answer {
  const answer = createAnswer(methods)
  if (audit === null) return answer
  return (message, exchange) => audit(message, exchange, () => answer(message, exchange))
}

/** What a retry gets depends on what no cache knows of (server/utilities/caching, "Cache Key"). */
async function withoutHints(answering: Outcome | Promise<Outcome>): Promise<Outcome> {
  const outcome = await answering
  if (outcome.kind !== 'result' || outcome.cache === undefined) return outcome
  return { ...outcome, cache: { ttlMs: 0, cacheScope: 'private' } }
}

function createAnswer(methods: Methods): Answer {
  return (message, exchange) => {
    const read = readEnvelope(message, exchange.headers)
    if (!read.ok) return fail(read.failure)
    const method = methods.get(message.method)
    if (method === undefined) return fail({ kind: 'unknown-method', method: message.method })
    const outcome = method(message, exchange, read.envelope)
    return isRetry(message.params) ? withoutHints(outcome) : outcome
  }
}
