import { hasScopes } from '../protocol/caller.ts'
import { isJsonObject, isTexts } from '../protocol/json.ts'

/** The lists of MCP that can change. */
export type ListKind = 'tools' | 'prompts' | 'resources'

/** Every {@link ListKind}, in the order in which changes are told. */
export const listKinds: readonly ListKind[] = ['tools', 'prompts', 'resources']

/** One open `subscriptions/listen` request as the hub knows it. */
export interface Listener {
  readonly lists: readonly ListKind[]
  readonly uris: readonly string[]
  /** What its caller may see: an event that needs more passes it by. */
  readonly scopes: readonly string[]
  /** Milliseconds since 1970 after which it hears nothing more. */
  readonly until: number
  /** The digest of the registry that it listens from. */
  readonly digest: string
}

/**
 * Bytes that a printed listener may have. It lives in the attachment of its WebSocket, which the
 * platform limits to 16,384 with its own overhead, so that a sleeping hub keeps it at no cost.
 */
export const maxListenerBytes = 16_000

/** Prints a listener in ASCII: it travels in a header, and one character is one byte kept. */
export function toListenerText(listener: Listener): string {
  return JSON.stringify(listener).replaceAll(/[\u007f-\uffff]/g, toEscape)
}

/** Reads what {@link toListenerText} printed, in this version or another; `null` for all else. */
export function readListener(text: string): Listener | null {
  const value = parse(text)
  if (!isJsonObject(value)) return null
  const { lists, uris, scopes, until, digest } = value
  if (!isTexts(lists) || !isTexts(uris) || !isTexts(scopes)) return null
  if (typeof until !== 'number' || typeof digest !== 'string') return null
  return { lists: lists.filter(isListKind), uris, scopes, until, digest }
}

/** Tells a {@link ListKind} from any other text. */
function isListKind(text: string): text is ListKind {
  return listKinds.some((kind) => kind === text)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

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

/** What one listener is told at once: each change is in it once, however often it happened. */
export interface Delivery {
  readonly lists: readonly ListKind[]
  readonly uris: readonly string[]
}

/** Picks what a listener asked for and may see; `null` where that is nothing. */
export function toDelivery(listener: Listener, events: Iterable<HubEvent>): Delivery | null {
  const lists = new Set<ListKind>()
  const uris = new Set<string>()
  for (const event of events) {
    if (!hasScopes(listener, event.needs)) continue
    if (event.kind === 'list-changed') {
      if (listener.lists.includes(event.list)) lists.add(event.list)
    } else if (listener.uris.includes(event.uri)) {
      uris.add(event.uri)
    }
  }
  if (lists.size === 0 && uris.size === 0) return null
  return { lists: listKinds.filter((kind) => lists.has(kind)), uris: [...uris] }
}

/** Reads a delivery as it comes from the hub, whose code may be of another version. */
export function readDelivery(text: string): Delivery | null {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) return null
  return { lists: readTexts(value['lists']).filter(isListKind), uris: readTexts(value['uris']) }
}

function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/**
 * Something that listeners may want to know (basic/patterns/subscriptions). `needs` are the scopes
 * that a listener must have, all of them, to be told: what it may not see did not change for it.
 */
export type HubEvent =
  | { readonly kind: 'list-changed'; readonly list: ListKind; readonly needs: readonly string[] }
  | { readonly kind: 'resource-updated'; readonly uri: string; readonly needs: readonly string[] }

/** The header in which a listener tells the hub who it is, printed by `toListenerText`. */
export const listenerHeader = 'Helve-Listener'

/** A listener's sign of life; the runtime answers it while the hub sleeps. */
export const ping = 'ping'

/** The runtime's answer to {@link ping}. */
export const pong = 'pong'

/** Milliseconds between two signs of life of a listener. */
export const keepAliveMs = 15_000

/** What the hub knows of a listener's life, in milliseconds since 1970. */
interface Life {
  readonly joined: number
  /** When it last gave a sign of life; `null` where it has given none since it joined. */
  readonly pinged: number | null
  readonly until: number
}

/**
 * When the hub must look at a listener again: at its end, or when it has missed two keep-alives in a
 * row and so has vanished without a word.
 */
export function toDeadline({ joined, pinged, until }: Life): number {
  return Math.min((pinged ?? joined) + 2 * keepAliveMs, until)
}
