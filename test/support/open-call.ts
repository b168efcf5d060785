import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { toModernBody, toModernHeaders, type Changes } from './modern-request.ts'
import { checkMessage } from './watched-fetch.ts'
import { createReplyReader, type Piece } from './reply-reader.ts'

/** What a reply brought, and when: milliseconds since the request was sent. */
export type Received = Piece & { readonly at: number }

/** A call whose reply has begun, over a socket of its own. */
export interface OpenCall {
  /** When the reply began: milliseconds since the request was sent. */
  readonly at: number
  readonly status: number
  readonly contentType: string
  /** What has come so far. */
  readonly received: readonly Received[]
  /** The messages among it. */
  readonly messages: () => readonly unknown[]
  /** Resolves with all messages at the end of the body; rejects where the connection breaks. */
  readonly ended: Promise<readonly unknown[]>
  /** Stops reading: what the server sends stays in the buffers between here and there. */
  readonly pause: () => void
  readonly resume: () => void
  /** Goes away without a word. */
  readonly leave: () => void
}

/** Sends a request of revision 2026-07-28 and resolves when its reply begins. */
export async function openCall(
  endpoint: string,
  method: string,
  params: { readonly name?: string; readonly [key: string]: unknown } = {},
  changes: Changes = {},
): Promise<OpenCall> {
  const start = performance.now()
  const headers = toModernHeaders(method, params, changes)
  // without an agent, so that the socket is not shared and leaving closes it
  const sent = request(endpoint, { method: 'POST', headers, agent: false })
  sent.end(toModernBody(method, params, changes))
  const response = await waitForHead(sent)
  const at = performance.now() - start

  const contentType = response.headers['content-type'] ?? ''
  const reader = createReplyReader(contentType)
  const received: Received[] = []
  const keep = (pieces: readonly Piece[]): void => {
    for (const piece of pieces) if (piece.kind === 'message') checkMessage(piece.message, method)
    received.push(...pieces.map((piece) => ({ ...piece, at: performance.now() - start })))
  }
  const messages = (): readonly unknown[] =>
    received.flatMap((piece) => (piece.kind === 'message' ? [piece.message] : []))

  response.setEncoding('utf8')
  response.on('data', (chunk: string) => keep(reader.take(chunk)))
  const ended = once(response, 'end').then(() => {
    keep(reader.finish())
    return messages()
  })
  // a call that is left never ends, which fails only those who wait for it
  ended.catch(() => {})

  return {
    at,
    status: response.statusCode ?? 0,
    contentType,
    received,
    messages,
    ended,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    leave: () => void sent.destroy(),
  }
}

function waitForHead(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
  })
}
