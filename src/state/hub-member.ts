import { isJsonObject } from '../wire/json.ts'
import type { Delivery } from './delivery.ts'
import { readListener, toListenerText, type Listener } from './listener.ts'

/** A listener that the hub can reach, by the socket that its Worker opened. */
export interface HubMember {
  readonly socket: WebSocket
  readonly listener: Listener
  /** Milliseconds since 1970. */
  readonly joined: number
}

/**
 * Writes a member into its socket's attachment: that outlives hibernation, as memory does not, and
 * costs no storage.
 */
export function keepMember({ socket, listener, joined }: HubMember): void {
  socket.serializeAttachment({ joined, listener: toListenerText(listener) })
}

/** Reads the member of a socket; `null` for one that is closing, or that is not a listener's. */
export function readMember(socket: WebSocket): HubMember | null {
  // a socket stays in the runtime's list until the other side has answered the close
  if (socket.readyState !== WebSocket.OPEN) return null
  const kept: unknown = socket.deserializeAttachment()
  if (!isJsonObject(kept)) return null
  const { joined, listener: text } = kept
  if (typeof joined !== 'number' || typeof text !== 'string') return null
  const listener = readListener(text)
  return listener === null ? null : { socket, listener, joined }
}

/** Sends a member one message with all that it is told. */
export function tell({ socket }: HubMember, delivery: Delivery | null): void {
  if (delivery === null) return
  try {
    socket.send(JSON.stringify(delivery))
  } catch {
    // it broke after it was read: the others must still be told
  }
}
