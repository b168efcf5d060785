import { keepAliveMs, ping, pong } from '../objects/hub-listener.ts'

const openTimeoutMs = 5_000

/** An object that accepts WebSockets, over RPC. */
interface SocketObject {
  fetch(url: string, init: RequestInit): Promise<Response>
}

/**
 * Asks an object for a WebSocket of this request: in workerd a socket works only in the request that
 * opened it. `headers` say to the object what it is for.
 *
 * @throws {Error} when the object does not respond within 5 seconds.
 */
export async function openObjectSocket(
  object: SocketObject,
  name: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const timeout = new AbortController()
  // not AbortSignal.timeout: it would fire later and close the open socket
  const timer = setTimeout(
    () => timeout.abort(new Error(`The ${name} did not respond within 5 seconds.`)),
    openTimeoutMs,
  )
  try {
    return await object.fetch(`https://${name}/`, {
      headers: { Upgrade: 'websocket', ...headers },
      signal: timeout.signal,
    })
  } finally {
    clearTimeout(timer)
  }
}

/** An open WebSocket to an object. Only the request that opened it can use it. */
export interface ObjectSocket {
  /**
   * Passes on what the object sends, from its beginning, until either side closes. Resolves with the
   * code with which the object closed, or `null`.
   */
  readonly forward: (onText: (text: string) => void) => Promise<number | null>
  readonly close: () => void
}

export function toObjectSocket(socket: WebSocket): ObjectSocket {
  const { promise: closed, resolve } = Promise.withResolvers<number | null>()
  const end = (code: number | null): void => {
    resolve(code)
    socket.accept()
    // without this the object keeps counting the socket after the request has ended
    socket.close(1000)
  }
  return {
    close: () => end(null),
    async forward(onText) {
      socket.addEventListener('message', ({ data }) => {
        if (typeof data === 'string' && data !== pong) onText(data)
      })
      socket.addEventListener('close', ({ code }) => end(code))
      socket.addEventListener('error', () => end(null))
      // not before: messages to an accepted socket without a handler are lost
      socket.accept()
      const timer = setInterval(() => socket.send(ping), keepAliveMs)
      const code = await closed
      clearInterval(timer)
      return code
    },
  }
}
