import type { Client, ClientOptions } from '../../../src/client/client.ts'
import { createClient } from '../../../src/client/client.ts'

/** A request as the server saw it. */
export interface Seen {
  readonly headers: Headers
  // a body is whatever was sent: tests look into it and fail where it is something else
  readonly body: ReturnType<typeof JSON.parse>
}

interface ScriptedServer {
  readonly client: Client
  readonly seen: readonly Seen[]
}

/** A client whose server answers as a test says, however wrong that is. */
export function createScripted(
  answer: (seen: Seen, count: number, request: Request) => Response | Promise<Response>,
  options: Partial<ClientOptions> = {},
): ScriptedServer {
  const seen: Seen[] = []
  const client = createClient({
    url: 'https://mcp.example.com/mcp',
    async fetch(request) {
      const one = { headers: request.headers, body: JSON.parse(await request.clone().text()) }
      seen.push(one)
      return answer(one, seen.length, request)
    },
    ...options,
  })
  return { client, seen }
}

/** The response with a result of revision 2026-07-28. */
export function toResult({ body }: Seen, result: object): Response {
  return Response.json({
    jsonrpc: '2.0',
    id: body.id,
    result: { resultType: 'complete', ...result },
  })
}

export function toError({ body }: Seen, error: object, init: ResponseInit = {}): Response {
  return Response.json({ jsonrpc: '2.0', id: body.id, error }, init)
}

/** A stream of server-sent events from chunks of text, which stays open unless it is closed. */
export function toStream(chunks: readonly string[], onCancel?: () => void): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      if (onCancel === undefined) controller.close()
    },
    cancel: () => onCancel?.(),
  })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } })
}

export function toEvent(message: object): string {
  return `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`
}
