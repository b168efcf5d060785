import type { HubConnection } from '../state/hub-connection.ts'
import type { RequestId } from '../wire/message.ts'
import type { MessageStream, ServerNotification } from '../wire/message-stream.ts'
import type { StreamedResult } from '../wire/streamed-outcome.ts'
import type { SubscriptionFilter } from './subscription-filter.ts'
import { createSubscription } from './subscription.ts'

/** Bytes that may wait for a slow reader before its stream ends: nothing grows without bound. */
const maxBacklog = 256 * 1024

/**
 * Makes what runs an open listen stream: it forwards what the hub tells until `until` (milliseconds
 * since 1970), until the hub or the client goes, or until the client has fallen too far behind.
 */
export function createListenStream(
  id: RequestId,
  honoured: SubscriptionFilter,
  until: number,
  connection: HubConnection,
): (stream: MessageStream) => Promise<StreamedResult> {
  const words = createSubscription(id)
  return async (stream) => {
    let reason = 'The server restarted its notifications. Listen again.'
    const end = (why: string): void => {
      reason = why
      connection.close()
    }
    const send = (notification: ServerNotification): void => {
      if (stream.backlog() <= maxBacklog) stream.send(notification)
      else end('The stream was not read as fast as it was written. Listen again.')
    }

    send(words.acknowledged(honoured))
    stream.signal.addEventListener('abort', () => connection.close())
    const timer = setTimeout(
      end,
      until - Date.now(),
      'The time of this stream is over. Listen again.',
    )
    await connection.forward((delivery) => words.changes(delivery).forEach(send))
    clearTimeout(timer)

    // cancellation wants this notification, subscriptions wants the result: a client gets both
    stream.send(words.cancelled(reason))
    return words.end
  }
}
