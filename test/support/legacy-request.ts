/** The revisions that begin with `initialize`, newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

export type LegacyVersion = (typeof legacyVersions)[number]

/** What a test changes of an otherwise correct request; `null` leaves a header out. */
export interface LegacyChanges {
  /** The revision of its header, 2025-11-25 by default. */
  readonly version?: LegacyVersion
  /** The session id that `initialize` returned. */
  readonly session?: string | null
  readonly id?: string | number
  readonly headers?: Readonly<Record<string, string | null>>
}

/** The body of a request of a revision that begins with `initialize`. */
export function toLegacyBody(method: string, params?: object, id: string | number = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}

/** The body of a notification, which has no id. */
export function toLegacyNotification(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params })
}

/** The headers that clients send after `initialize` (2025-11-25, basic/transports). */
export function toLegacyHeaders({
  version = '2025-11-25',
  session = null,
  headers,
}: LegacyChanges = {}): Headers {
  const sent = new Headers({
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': version,
  })
  if (session !== null) sent.set('Mcp-Session-Id', session)
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === null) sent.delete(name)
    else sent.set(name, value)
  }
  return sent
}

/** A POST of this text. */
export function toLegacyPost(url: string, body: string, changes: LegacyChanges = {}): Request {
  return new Request(url, { method: 'POST', headers: toLegacyHeaders(changes), body })
}

/** A request, ready to be fetched. */
export function toLegacyRequest(
  url: string,
  method: string,
  params?: object,
  changes: LegacyChanges = {},
): Request {
  return toLegacyPost(url, toLegacyBody(method, params, changes.id), changes)
}

/** `initialize`, which clients send without a version header. */
export function toInitialize(
  url: string,
  protocolVersion: string,
  capabilities: object = {},
  changes: LegacyChanges = {},
): Request {
  const clientInfo = { name: 'test', version: '1.0.0' }
  const params = { protocolVersion, capabilities, clientInfo }
  const headers = { 'MCP-Protocol-Version': null, ...changes.headers }
  return toLegacyRequest(url, 'initialize', params, { ...changes, headers })
}
