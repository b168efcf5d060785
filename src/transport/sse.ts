/** The headers of a stream; the second keeps proxies from holding it back. */
export const sseHeaders = {
  'Content-Type': 'text/event-stream',
  'X-Accel-Buffering': 'no',
} as const

/** Keeps a silent stream open; readers pass over it (an event that says `ping` is not of MCP). */
export const sseComment = ':\n\n'

/**
 * Prints one JSON-RPC message as a server-sent event. JSON text without layout has no line breaks,
 * so that it fits one `data:` line, and an event without a name is a `message` event already.
 */
export function toSseEvent(json: string): string {
  return `data: ${json}\n\n`
}
