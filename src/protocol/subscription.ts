import type { Delivery } from '../state/delivery.ts'
import type { RequestId } from '../wire/message.ts'
import type { ServerNotification } from '../wire/message-stream.ts'
import { metaKey } from '../wire/meta.ts'
import type { StreamedResult } from '../wire/streamed-outcome.ts'
import { toWireFilter, type SubscriptionFilter } from './subscription-filter.ts'

/** Everything that a listen stream says, in the words of the wire and under its subscription's id. */
export interface Subscription {
  readonly acknowledged: (honoured: SubscriptionFilter) => ServerNotification
  readonly changes: (delivery: Delivery) => readonly ServerNotification[]
  readonly cancelled: (reason: string) => ServerNotification
  /** The result that tells a graceful end from a broken connection. */
  readonly end: StreamedResult
}

/**
 * Makes the words of one subscription. All of them carry the id of its request, of the same JSON
 * type, as clients tell their subscriptions apart by it (basic/patterns/subscriptions).
 */
export function createSubscription(id: RequestId): Subscription {
  const meta = { [metaKey.subscriptionId]: id }
  return {
    acknowledged: (honoured) => ({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: meta, notifications: toWireFilter(honoured) },
    }),
    changes: ({ lists, uris }) => [
      ...lists.map((kind) => ({
        method: `notifications/${kind}/list_changed`,
        params: { _meta: meta },
      })),
      ...uris.map((uri) => ({
        method: 'notifications/resources/updated',
        params: { _meta: meta, uri },
      })),
    ],
    cancelled: (reason) => ({
      method: 'notifications/cancelled',
      params: { _meta: meta, requestId: id, reason },
    }),
    end: { members: '', meta: JSON.stringify(meta).slice(1, -1) },
  }
}
