/** What a test changes of an otherwise correct request; `null` leaves a header or a key out. */
export interface Changes {
  readonly id?: unknown
  readonly headers?: Readonly<Record<string, string | null>>
  readonly meta?: Readonly<Record<string, unknown>>
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The body of a request of revision 2026-07-28 (basic/index, "Requests"). */
export function toModernBody(method: string, params: object = {}, changes: Changes = {}): string {
  const envelope = withoutNulls({ ...meta, ...changes.meta })
  return JSON.stringify({
    jsonrpc: '2.0',
    id: changes.id ?? 1,
    method,
    params: { ...params, _meta: envelope },
  })
}

/** Its headers (basic/transports/streamable-http, "Standard Request Headers"). */
export function toModernHeaders(
  method: string,
  params: { readonly name?: string } = {},
  changes: Changes = {},
): Record<string, string> {
  return withoutNulls({
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    'Mcp-Name': params.name ?? null,
    ...changes.headers,
  })
}

/** Both, ready to be fetched. */
export function toModernRequest(
  url: string,
  method: string,
  params: { readonly name?: string } & object = {},
  changes: Changes = {},
): Request {
  return new Request(url, {
    method: 'POST',
    headers: toModernHeaders(method, params, changes),
    body: toModernBody(method, params, changes),
  })
}

function withoutNulls<Value>(
  entries: Readonly<Record<string, Value | null>>,
): Record<string, Value> {
  const kept: Record<string, Value> = {}
  for (const [key, value] of Object.entries(entries)) if (value !== null) kept[key] = value
  return kept
}
