import { readDelivery, type Delivery } from './delivery.ts'
import type { HubObject } from './hub-namespace.ts'
import { listenerHeader, ping, pong } from './hub-protocol.ts'
import { toListenerText, type Listener } from './listener.ts'
import { keepAliveMs } from './liveness.ts'

/** One listener's place in the hub. It belongs to the request that opened it and to no other. */
export interface HubConnection {
  /** Hands on what the hub tells, from the moment of joining, until either side closes. */
  readonly forward: (onDelivery: (delivery: Delivery) => void) => Promise<void>
  /** Leaves the hub; a second time does nothing. */
  readonly close: () => void
}

const joinTimeoutMs = 5_000

/**
 * Joins a hub over a WebSocket of this request's own: in workerd a socket that several requests
 * share works for the one that opened it alone.
 *
 * @throws {Error} when the hub does not answer within 5 seconds, or does not let the listener join.
 */
export async function joinHub(hub: HubObject, listener: Listener): Promise<HubConnection> {
  const timeout = new AbortController()
  // not AbortSignal.timeout: that one would fire later and take the open socket with it
  const timer = setTimeout(() => timeout.abort(new Error('The hub is silent.')), joinTimeoutMs)
  try {
    const { status, webSocket } = await hub.fetch('https://hub/', {
      headers: { Upgrade: 'websocket', [listenerHeader]: toListenerText(listener) },
      signal: timeout.signal,
    })
    if (webSocket === null) throw new Error(`The hub answered ${status} to a listener.`)
    return toConnection(webSocket)
  } finally {
    clearTimeout(timer)
  }
}

function toConnection(socket: WebSocket): HubConnection {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const close = (): void => {
    resolve()
    socket.accept()
    // the hub counts a socket until it is closed here: the end of the request does not do it
    socket.close(1000)
  }
  return {
    close,
    async forward(onDelivery) {
      socket.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string' || data === pong) return
        const delivery = readDelivery(data)
        if (delivery !== null) onDelivery(delivery)
      })
      socket.addEventListener('close', close)
      socket.addEventListener('error', close)
      // not before: what arrives at an accepted socket that nobody hears is lost
      socket.accept()
      const timer = setInterval(() => socket.send(ping), keepAliveMs)
      await closed
      clearInterval(timer)
    },
  }
}
