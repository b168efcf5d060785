import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { toMembers } from '../../../src/protocol/outcome.ts'
import { type TransportOptions, createTransport } from '../../../src/serve/transport.ts'

export const endpoint = 'http://127.0.0.1:8787/mcp'

/** Sends one request through a transport whose `handle` says back what it was given. */
export function send(request: Request, options: Partial<TransportOptions> = {}): Promise<Response> {
  const transport = createTransport({
    endpoint: '/mcp',
    origins: ['https://claude.ai'],
    serverInfo: { name: 'shop', version: '1.0.0' },
    openMask: () => (text) => text,
    handle: ({ method, params }) => ({ kind: 'result', members: toMembers({ method, params }) }),
    ...options,
  })
  return transport(request, env, createExecutionContext())
}

/** A sound POST, its headers and body open to change. */
export function toPost(body: BodyInit, headers: Record<string, string> = {}): Request {
  const usual = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  }
  return new Request(endpoint, { method: 'POST', headers: { ...usual, ...headers }, body })
}

export const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

/** A body without a length, made of these chunks. */
export function toStream(...chunks: readonly (Uint8Array | string)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? encoder.encode(chunk) : chunk))
  return new ReadableStream({
    pull(controller) {
      const next = bytes.shift()
      if (next === undefined) controller.close()
      else controller.enqueue(next)
    },
  })
}
