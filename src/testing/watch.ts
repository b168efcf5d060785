import type { Client, NotificationFilter, Notified } from '../client/client.ts'
import { type Duration, toMilliseconds } from '../util/duration.ts'

/** A notification, without the acknowledgement that comes before the first one. */
export type Change = Exclude<Notified, { readonly kind: 'acknowledged' }>

/** A subscription whose notifications a test waits for. */
export interface Watch {
  /** What the server agreed to send. */
  readonly filter: NotificationFilter
  /** The notifications that came and that no `next` has returned yet. */
  readonly pending: readonly Change[]
  /**
   * Waits for a notification, by default for any kind. Notifications of other kinds stay pending.
   *
   * @throws {Error} if none comes in time: 5 seconds by default.
   */
  readonly next: (kind?: Change['kind'], within?: Duration) => Promise<Change>
  readonly stop: () => void
}

/** Begins to listen, and returns when the server has agreed to. */
export async function watch(listen: Client['listen'], wanted: NotificationFilter): Promise<Watch> {
  const stopping = new AbortController()
  const pending: Change[] = []
  let wake = Promise.withResolvers<void>()
  let ended: unknown = null
  const messages = listen(wanted, { signal: stopping.signal })
  const first = await messages.next()
  if (first.done === true || first.value.kind !== 'acknowledged') {
    throw new Error('The server ended the subscription at once.')
  }
  const read = async (): Promise<void> => {
    try {
      for await (const message of messages) {
        if (message.kind !== 'acknowledged') pending.push(message)
        wake.resolve()
        wake = Promise.withResolvers()
      }
      ended = new Error('The server has ended the subscription.')
    } catch (error) {
      ended = error
    }
    wake.resolve()
  }
  void read()

  async function next(kind?: Change['kind'], within: Duration = '5s'): Promise<Change> {
    const late = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => late.resolve('late'), toMilliseconds(within))
    try {
      for (;;) {
        const index = pending.findIndex((change) => kind === undefined || change.kind === kind)
        const [found] = index < 0 ? [] : pending.splice(index, 1)
        if (found !== undefined) return found
        if (ended !== null) throw ended
        // oxlint-disable-next-line no-await-in-loop -- waits for one notification after the other
        if ((await Promise.race([wake.promise, late.promise])) === 'late') {
          throw new Error(toLateText(kind, within, pending))
        }
      }
    } finally {
      clearTimeout(timer)
    }
  }

  const stop = (): void => stopping.abort()
  return { filter: first.value.notifications, pending, next, stop }
}

function toLateText(
  kind: Change['kind'] | undefined,
  within: Duration,
  pending: readonly Change[],
): string {
  const others = pending.map((change) => change.kind).join(', ')
  const came = others === '' ? 'No other notification came' : `Others came: ${others}`
  return `There was no notification${kind === undefined ? '' : ` \`${kind}\``} within ${within}. ${came}.`
}
