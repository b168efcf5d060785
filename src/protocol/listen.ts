import { logIncident } from '../kit/incident.ts'
import type { HubClient } from '../state/hub.ts'
import { maxListenerBytes, toListenerText, type ListKind } from '../state/listener.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { RequestMessage } from '../wire/message.ts'
import { fail, type Outcome } from '../wire/outcome.ts'
import type { StreamedOutcome } from '../wire/streamed-outcome.ts'
import { readFilter, type SubscriptionFilter } from './subscription-filter.ts'
import { createListenStream } from './listen-stream.ts'

/** How long a stream lasts for credentials that were accepted though they have ended. */
const lastListenMs = 30_000

/** Who listens, as far as the hub has to know. */
export interface ListenerRights {
  /** An event that needs a scope reaches only those who have it. */
  readonly scopes: readonly string[]
  /** Milliseconds since 1970 at which the caller's credentials end. */
  readonly expires?: number
}

export interface ListenSettings {
  readonly hub: (exchange: Exchange) => Pick<HubClient, 'join'>
  /** The lists that this server has. */
  readonly lists: readonly ListKind[]
  /** Whether a resource exists for the caller, so that an update of it could ever be told. */
  readonly canSee: (uri: string, exchange: Exchange) => Promise<boolean>
  readonly rightsOf: (exchange: Exchange) => ListenerRights
  /** The registry's digest: a listener that brings a new one announces it. */
  readonly digest: string
  /** Milliseconds after which a stream ends and its client listens anew. */
  readonly maxAge: number
}

/**
 * Makes `subscriptions/listen` (basic/patterns/subscriptions). The hub is joined before the stream
 * opens: what is acknowledged can then be delivered, and a failure can still be an error.
 */
export function createListen(
  settings: ListenSettings,
): (message: RequestMessage, exchange: Exchange) => Promise<Outcome | StreamedOutcome> {
  return async ({ id, params }, exchange) => {
    const read = readFilter(params['notifications'])
    if (!read.ok) return fail({ kind: 'invalid-params', why: read.why })
    const honoured: SubscriptionFilter = {
      lists: read.filter.lists.filter((kind) => settings.lists.includes(kind)),
      uris: await filterSeen(read.filter.uris, (uri) => settings.canSee(uri, exchange)),
    }

    const { scopes, expires } = settings.rightsOf(exchange)
    const until = Math.min(Date.now() + settings.maxAge, toEnd(expires))
    const listener = { ...honoured, scopes, until, digest: settings.digest }
    const bytes = toListenerText(listener).length
    if (bytes > maxListenerBytes) return fail({ kind: 'invalid-params', why: tooLarge(bytes) })

    try {
      const connection = await settings.hub(exchange).join(listener)
      // should the client go before its stream opens
      exchange.signal.addEventListener('abort', () => connection.close())
      return { kind: 'stream', run: createListenStream(id, honoured, until, connection) }
    } catch (error) {
      return fail({
        kind: 'failed',
        why: outOfReach(logIncident('subscriptions/listen', error, exchange.mask)),
      })
    }
  }
}

/** When the credentials end, if they do. */
function toEnd(expires = Infinity, now = Date.now()): number {
  // a token is accepted a little longer, as clocks differ: ended at once, a client that listens again
  // at once would go round and round until it is refused
  return expires > now ? expires : now + lastListenMs
}

async function filterSeen(
  uris: readonly string[],
  canSee: (uri: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const seen = await Promise.all(uris.map(canSee))
  return uris.filter((_, index) => seen[index])
}

function tooLarge(bytes: number): string {
  return (
    `These subscriptions take ${bytes} bytes, and one request may take ${maxListenerBytes}. ` +
    'Share them out among several requests.'
  )
}

function outOfReach(errorId: string): string {
  return (
    'Change notifications are out of reach at the moment; other methods are not affected. ' +
    `Listen again in a minute. Error id: ${errorId}.`
  )
}
