import type { JsonObject } from '../protocol/json.ts'
import { type LogLevel, isLogLevel, metaKey } from '../protocol/meta.ts'
import { ClientError } from './client-error.ts'
import type { Received } from './connection.ts'
import { expectShape, isBoolean, isObject, isText, listOf, maybe, objectOf } from './shapes.ts'

/** How far a request is (basic/patterns/progress). */
export interface ProgressUpdate {
  /** Larger with each update. */
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** A log message of the request (server/utilities/logging). */
export interface LogMessage {
  readonly level: LogLevel
  readonly logger?: string
  readonly data: unknown
}

/** Reads an update of a request; `null` if it is of another request, wrong, or not further than the last. */
export function readProgress(
  params: JsonObject,
  token: number,
  last: number,
): ProgressUpdate | null {
  const { progressToken, progress, total, message } = params
  if (progressToken !== token || typeof progress !== 'number' || progress <= last) return null
  return {
    progress,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  }
}

/** Reads a log message; `null` if it is wrong. */
export function readLogMessage({ level, logger, data }: JsonObject): LogMessage | null {
  if (!isLogLevel(level)) return null
  return { level, data, ...(typeof logger === 'string' && { logger }) }
}

/** What to be notified of (basic/patterns/subscriptions, "Notification Filter"). */
export interface NotificationFilter {
  readonly toolsListChanged?: boolean
  readonly promptsListChanged?: boolean
  readonly resourcesListChanged?: boolean
  /** The URIs of resources. */
  readonly resourceSubscriptions?: readonly string[]
}

/** A notification on a stream of `subscriptions/listen`. */
export type Notified =
  /** Comes first, with what the server agreed to send. */
  | { readonly kind: 'acknowledged'; readonly notifications: NotificationFilter }
  | { readonly kind: 'toolsChanged' | 'promptsChanged' | 'resourcesChanged' }
  | { readonly kind: 'resourceUpdated'; readonly uri: string }

/**
 * Reads the messages of a subscription, until the server ends it.
 *
 * @throws {ClientError} if the server does not acknowledge first.
 */
export async function* readNotified(
  messages: AsyncIterable<Received>,
  id: number,
): AsyncGenerator<Notified> {
  let isAcknowledged = false
  for await (const message of messages) {
    if (message.kind === 'result') return
    const notified = readOne(message, id)
    if (notified === null) continue
    if (isAcknowledged === (notified.kind === 'acknowledged')) {
      throw new ClientError(
        'invalid',
        'The server did not acknowledge the subscription first, once.',
      )
    }
    isAcknowledged = true
    yield notified
  }
}

const changes = new Map([
  ['notifications/tools/list_changed', 'toolsChanged'],
  ['notifications/prompts/list_changed', 'promptsChanged'],
  ['notifications/resources/list_changed', 'resourcesChanged'],
] as const)

/** Returns `null` for a notification of another subscription, or one that is not known. */
function readOne(
  { method, params }: Extract<Received, { kind: 'notification' }>,
  id: number,
): Notified | null {
  const { _meta, uri } = expectShape(notificationParams, params, 'A notification')
  if (_meta?.[metaKey.subscriptionId] !== id) return null
  if (method === 'notifications/subscriptions/acknowledged') {
    const { notifications } = expectShape(acknowledgement, params, 'The acknowledgement')
    return { kind: 'acknowledged', notifications }
  }
  if (method === 'notifications/resources/updated' && uri !== undefined) {
    return { kind: 'resourceUpdated', uri }
  }
  for (const [name, kind] of changes) if (name === method) return { kind }
  return null
}

const notificationParams = objectOf<{ readonly _meta?: JsonObject; readonly uri?: string }>({
  _meta: maybe(isObject),
  uri: maybe(isText),
})

const acknowledgement = objectOf<{ readonly notifications: NotificationFilter }>({
  notifications: objectOf<NotificationFilter>({
    toolsListChanged: maybe(isBoolean),
    promptsListChanged: maybe(isBoolean),
    resourcesListChanged: maybe(isBoolean),
    resourceSubscriptions: maybe(listOf(isText)),
  }),
})
