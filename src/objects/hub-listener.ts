import { hasScopes } from '../protocol/caller.ts'
import { isJsonObject, isTextList } from '../protocol/json.ts'

export type ListKind = 'tools' | 'prompts' | 'resources'

export const listKinds: readonly ListKind[] = ['tools', 'prompts', 'resources']

/** One open stream of notifications as the hub knows it. */
export interface Listener extends Subscriptions {
  readonly lists: readonly ListKind[]
  /** The scopes of its caller: events that need another scope are not sent. */
  readonly scopes: readonly string[]
  /** Milliseconds since 1970 after which nothing is sent. */
  readonly until: number
  /** The digest of the registry of the Worker that it came through. */
  readonly digest: string
  /** The session of a client that begins with `initialize`: it has one stream, the newest. */
  readonly session?: string
}

/** The resources whose updates a listener is sent. */
export interface Subscriptions {
  readonly uris: readonly string[]
  /** Counts the changes of a session's subscriptions; absent where they cannot change. */
  readonly version?: number
}

/**
 * Bytes that a listener's text may have. It is stored in the attachment of its WebSocket, which
 * survives hibernation at no cost and which the platform limits to 16,384 with its own overhead.
 */
export const maxListenerBytes = 16_000

/** Converts a listener to ASCII: it is sent in a header, and a character must be one byte. */
export function toListenerText(listener: Listener): string {
  return JSON.stringify(listener).replaceAll(/[\u007f-\uffff]/g, toEscape)
}

/** Reads what {@link toListenerText} of any version wrote; `null` for anything else. */
export function readListener(text: string): Listener | null {
  const value = parse(text)
  if (!isJsonObject(value)) return null
  const { lists, uris, scopes, until, digest, session, version } = value
  if (!isTextList(lists) || !isTextList(uris) || !isTextList(scopes)) return null
  if (typeof until !== 'number' || typeof digest !== 'string') return null
  return {
    lists: lists.filter(isListKind),
    uris,
    scopes,
    until,
    digest,
    ...(typeof session === 'string' && { session }),
    ...(typeof version === 'number' && { version }),
  }
}

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

export interface HubMember {
  readonly socket: WebSocket
  readonly listener: Listener
  readonly joined: number
}

/** Stores a member in its socket's attachment, which survives hibernation and is not billed storage. */
export function attachMember({ socket, listener, joined }: HubMember): void {
  socket.serializeAttachment({ joined, listener: toListenerText(listener) })
}

/** Reads the member of a socket; `null` for a socket that is closing or is not a listener's. */
export function readMember(socket: WebSocket): HubMember | null {
  // a socket stays in the runtime's list until the other side has answered the close
  if (socket.readyState !== WebSocket.OPEN) return null
  const attached: unknown = socket.deserializeAttachment()
  if (!isJsonObject(attached)) return null
  const { joined, listener: text } = attached
  if (typeof joined !== 'number' || typeof text !== 'string') return null
  const listener = readListener(text)
  return listener === null ? null : { socket, listener, joined }
}

export function sendDelivery({ socket }: HubMember, delivery: Delivery | null): void {
  if (delivery === null) return
  try {
    socket.send(JSON.stringify(delivery))
  } catch {
    // the socket broke after it was read: the other listeners must still get theirs
  }
}

/** One message to a listener: each change is in it once, however often it happened. */
export interface Delivery {
  readonly lists: readonly ListKind[]
  readonly uris: readonly string[]
  /** The version of the session's subscriptions that `uris` was selected by. */
  readonly version?: number
}

/** Selects what a listener asked for and may see; `null` where that is nothing. */
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
  const { version } = listener
  return {
    lists: listKinds.filter((kind) => lists.has(kind)),
    uris: [...uris],
    ...(version !== undefined && { version }),
  }
}

export function readDelivery(text: string): Delivery | null {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value)) return null
  const { lists, uris, version } = value
  return {
    lists: readTexts(lists).filter(isListKind),
    uris: readTexts(uris),
    ...(typeof version === 'number' && { version }),
  }
}

function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/**
 * A change that listeners may have subscribed to (basic/patterns/subscriptions). Only listeners that
 * have all scopes of `needs` are notified.
 */
export type HubEvent =
  | { readonly kind: 'list-changed'; readonly list: ListKind; readonly needs: readonly string[] }
  | { readonly kind: 'resource-updated'; readonly uri: string; readonly needs: readonly string[] }

/** The header that carries a listener to the hub, as text of {@link toListenerText}. */
export const listenerHeader = 'Helve-Listener'

/** The header that says whose listener it is, as text of {@link toOwnerText}. */
export const ownerHeader = 'Helve-Listener-Owner'

/** Whom a listener belongs to, and how many open listeners one owner may have. */
export interface ListenerOwner {
  /** The digest of the caller, or of the address of an anonymous one. */
  readonly digest: string
  readonly most: number
}

export function toOwnerText({ digest, most }: ListenerOwner): string {
  return `${most} ${digest}`
}

/** Reads what {@link toOwnerText} wrote; `null` for anything else, which is not limited. */
export function readOwner(text: string): ListenerOwner | null {
  const [, most, digest] = /^(\d+) (\S+)$/.exec(text) ?? []
  return digest === undefined ? null : { digest, most: Number(most) }
}

/** The code with which the hub closes a stream that must not be opened again. */
export const overCode = 4000

/** A listener's keep-alive message; the runtime answers it while the hub hibernates. */
export const ping = 'ping'

export const pong = 'pong'

/** Milliseconds between two keep-alive messages of a listener. */
export const keepAliveMs = 15_000

interface ListenerTimes {
  readonly joined: number
  /** When its last keep-alive arrived; `null` where none has since it joined. */
  readonly pinged: number | null
  readonly until: number
}

/** When the hub must close a listener: at its end, or when two keep-alives in a row are missing. */
export function toDeadline({ joined, pinged, until }: ListenerTimes): number {
  return Math.min((pinged ?? joined) + 2 * keepAliveMs, until)
}
