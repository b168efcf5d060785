import * as z from 'zod'
import { defineTool, type WorkerOptions } from 'helve'
import type { Made } from '../../spec/registry.ts'
import { createServer, type Reply } from '../../spec/server.ts'
import { type Changes, toModernBody, toModernHeaders } from '../../support/modern-request.ts'

export const endpoint = 'http://127.0.0.1:8787/mcp'

const text = z.object({ text: z.string() })

/** A tool that returns what it was given. */
export const echo = defineTool({
  description: 'Echoes.',
  input: text,
  output: text,
  run: ({ input }) => input,
})

/** What a request is sent to, and what a test changes of it. */
export interface Served {
  readonly options?: Partial<WorkerOptions>
  /** The tools; by default one that echoes. */
  readonly made?: Readonly<Record<string, Made>>
  /** More bindings of the Worker's `env`. */
  readonly bindings?: object
}

/** Sends one request to a server, and reads the whole reply. */
export async function send(request: Request, served: Served = {}): Promise<Reply> {
  const { options, made = { echo }, bindings } = served
  const origins = ['https://claude.ai']
  const server = createServer({ origins, audit: false, ...options }, made)
  const [env, ctx] = server.context()
  const response = await server.worker.fetch(request, Object.assign(env, bindings), ctx)
  const text = await response.text()
  const body: unknown = text.startsWith('{') ? JSON.parse(text) : null
  return { status: response.status, headers: response.headers, text, body }
}

/** The body of a call of `echo`. */
export function toEcho(said: string, changes: Changes = {}): string {
  return toModernBody('tools/call', { name: 'echo', arguments: { text: said } }, changes)
}

export const ping: string = toEcho('ping')

/** A sound POST of a call of `echo`, its headers and body open to change. */
export function toPost(body: BodyInit, headers: Record<string, string> = {}): Request {
  const usual = toModernHeaders('tools/call', { name: 'echo' })
  return new Request(endpoint, { method: 'POST', headers: { ...usual, ...headers }, body })
}

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
