import { type JsonObject, isJsonObject } from '../protocol/json.ts'
import { excerpt } from '../util/excerpt.ts'
import { ClientError } from './client-error.ts'
import { createTooLong, maxBytes, readEventData, readText } from './event-stream.ts'

/** Sends a request, as the global `fetch` does. */
export type Fetch = (request: Request) => Response | Promise<Response>

/** What comes back for a request: any number of notifications, and then its result. */
export type Received =
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'result'; readonly result: JsonObject }

/**
 * Sends one JSON-RPC request, and reads the messages of its response. Whoever stops reading cancels the
 * request, since the connection is closed (basic/transports/streamable-http).
 *
 * @throws {ClientError} for a JSON-RPC error, and for everything that is not a response.
 */
export async function* receive(
  send: Fetch,
  request: Request,
  id: number,
  signal: AbortSignal,
): AsyncGenerator<Received> {
  const response = await fetchResponse(send, request, signal)
  const type = response.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  const isStream = response.ok && type === 'text/event-stream'
  if (!response.ok) throw await createHttpError(response, type, id, signal)
  if ((!isStream && type !== 'application/json') || response.body === null) {
    await response.body?.cancel()
    throw invalid(
      `The response is ${type ?? 'empty'}, and not JSON or a stream of events. Is this an MCP endpoint?`,
      response,
    )
  }
  const chunks = guardConnection(readText(response.body, signal), signal)
  const texts = isStream ? readEventData(chunks) : [await readAll(chunks)]
  for await (const text of texts) {
    const message = readReceived(parse(text, response), id, response)
    yield message
    if (message.kind === 'result') return
  }
  throw new ClientError(
    'unreachable',
    'The connection ended before the response to the request. What the request did is not known.',
    response,
  )
}

async function fetchResponse(
  send: Fetch,
  request: Request,
  signal: AbortSignal,
): Promise<Response> {
  const pending = (async () => send(request))()
  try {
    return await untilAborted(pending, signal)
  } catch (error) {
    // a response that nobody reads any more would stay open
    pending.then(({ body }) => body?.cancel()).catch(() => {})
    signal.throwIfAborted()
    const { origin } = new URL(request.url)
    throw new ClientError('unreachable', `There is no response from ${origin}.`, { cause: error })
  }
}

/** Settles as a promise does, unless the signal aborts before. */
export function untilAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Names a connection that breaks, which every runtime reports in another way. */
async function* guardConnection(
  chunks: AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  try {
    yield* chunks
  } catch (error) {
    signal.throwIfAborted()
    throw new ClientError('unreachable', 'The connection broke before the end of the response.', {
      cause: error,
    })
  }
}

async function readAll(chunks: AsyncIterable<string>): Promise<string> {
  const parts: string[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) throw createTooLong()
    parts.push(chunk)
  }
  return parts.join('')
}

function parse(text: string, response: Response): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('The response is not JSON.', response)
  }
}

function readReceived(message: unknown, id: number, response: Response): Received {
  if (!isJsonObject(message) || message['jsonrpc'] !== '2.0') {
    throw invalid('The response is not a JSON-RPC 2.0 message.', response)
  }
  const { method, result, params = {}, error } = message
  if (typeof method === 'string') {
    if (isJsonObject(params) && !Object.hasOwn(message, 'id')) {
      return { kind: 'notification', method, params }
    }
    throw invalid(
      'The server sent a request, or a notification with wrong `params`: revision 2026-07-28 forbids both.',
      response,
    )
  }
  // an error for a message that the server could not read has no id
  const isUnread = error !== undefined && (message['id'] ?? null) === null
  if (message['id'] !== id && !isUnread) {
    throw invalid('The response is for another request: its `id` differs.', response)
  }
  if (error !== undefined && result === undefined) throw readError(error, response)
  if (isJsonObject(result) && error === undefined) return { kind: 'result', result }
  throw invalid('The response has neither a result nor an error that can be read.', response)
}

function readError(error: unknown, response: Response): ClientError {
  const { code, message, data } = isJsonObject(error) ? error : {}
  if (typeof code !== 'number' || !Number.isInteger(code) || typeof message !== 'string') {
    return invalid('The response is an error without a code or a message.', response)
  }
  const { status, headers } = response
  return new ClientError('refused', message, { code, data, status, headers })
}

/** Reads the JSON-RPC error of a response that is not 2xx; any other one is an error of HTTP alone. */
async function createHttpError(
  response: Response,
  type: string | undefined,
  id: number,
  signal: AbortSignal,
): Promise<ClientError> {
  const { status, headers, body } = response
  const target = headers.get('Location')
  // browsers hide a redirect behind the status 0
  if (status === 0 || (status >= 300 && status < 400)) {
    await body?.cancel()
    return new ClientError(
      'http',
      `The server redirects to ${excerpt(target ?? 'another URL')}. Redirects are not followed, since the token ` +
        'would go there too: use that URL if it is the right one.',
      { status, headers },
    )
  }
  const isText = type === 'application/json' || type === 'text/plain'
  const text = isText && body !== null ? await readAll(readText(body, signal)) : ''
  if (!isText) await body?.cancel()
  if (type === 'application/json') {
    try {
      readReceived(JSON.parse(text), id, response)
    } catch (error) {
      if (error instanceof ClientError && error.reason === 'refused') return error
    }
  }
  const said = text.trim() === '' ? '.' : `: ${excerpt(text.trim())}`
  return new ClientError('http', `The server answered with status ${status}${said}`, {
    status,
    headers,
  })
}

function invalid(message: string, { status, headers }: Response): ClientError {
  return new ClientError('invalid', message, { status, headers })
}
