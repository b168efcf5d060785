import {
  type JsonRecord,
  type OfficialRevision,
  findMessageProblems,
  isObject,
  isOfficialRevision,
  newestRevision,
} from './official-schema.ts'
import { createReplyReader } from './reply-reader.ts'

let problems: string[] = []

/** Keeps what is wrong with a message until {@link takeMessageProblems} takes it. */
export function checkMessage(
  message: unknown,
  method: string,
  revision: OfficialRevision = newestRevision,
): void {
  const found = findMessageProblems(message, method, revision)
  if (found.length === 0) return
  problems.push(`${method} of ${revision}: ${found.join('\n')}\n${JSON.stringify(message)}`)
}

/** Takes what was wrong with the messages so far. */
export function takeMessageProblems(): readonly string[] {
  const taken = problems
  problems = []
  return taken
}

type Fetch = typeof globalThis.fetch

/** Makes a `fetch` that checks each message of a server, by the schema of the client's revision. */
export function toWatchedFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const isRequest = input instanceof Request
    const body = isRequest ? await input.clone().text() : init?.body
    const headers = new Headers(init?.headers ?? (isRequest ? input.headers : {}))
    const response = await fetch(input, init)
    if (response.body === null) return response
    const check = createCheck(readSent(body), headers, response.headers)
    const type = response.headers.get('Content-Type') ?? ''
    if (type === 'application/json') check(await response.clone().json())
    if (type !== 'text/event-stream') return response
    return new Response(response.body.pipeThrough(createTap(check)), response)
  }
}

/** Passes a stream of events on, and shows each message in it. */
function createTap(show: (message: unknown) => void): TransformStream<Uint8Array, Uint8Array> {
  const reader = createReplyReader('text/event-stream')
  const decoder = new TextDecoder()
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      for (const piece of reader.take(decoder.decode(chunk, { stream: true }))) {
        if (piece.kind === 'message') show(piece.message)
      }
    },
  })
}

/** The messages of a request: several in a batch, and none in a GET or in what is not JSON. */
function readSent(body: unknown): readonly JsonRecord[] {
  if (typeof body !== 'string' || body === '') return []
  try {
    const sent: unknown = JSON.parse(body)
    return [sent].flat().filter(isObject)
  } catch {
    return []
  }
}

/** The revision that was agreed on for each session. */
const sessions = new Map<string, OfficialRevision>()

/** Creates the check of a body or an event, each of which is a message or a batch of messages. */
function createCheck(
  sent: readonly JsonRecord[],
  headers: Headers,
  replyHeaders: Headers,
): (body: unknown) => void {
  const methods = new Map(sent.map(({ id, method }) => [id, String(method)]))
  const [first] = methods.values()
  let revision = toRevision(sent, headers)
  // a GET has no message, so only its headers say who listens
  const isKnown = sent.length > 0 || headers.has('MCP-Protocol-Version')
  return (body) => {
    for (const message of [body].flat()) {
      // plain documents have no such member
      if (!isKnown || !isObject(message) || message['jsonrpc'] !== '2.0') continue
      const method = methods.get(message['id']) ?? first ?? ''
      if (method === 'initialize') {
        const { result } = message
        const version = isObject(result) ? result['protocolVersion'] : undefined
        revision = isOfficialRevision(version) ? version : revision
        const session = replyHeaders.get('Mcp-Session-Id')
        if (session !== null) sessions.set(session, revision)
      }
      checkMessage(message, method, revision)
    }
  }
}

/** As a server finds it out: from the request itself, from its session, or by default. */
function toRevision(sent: readonly JsonRecord[], headers: Headers): OfficialRevision {
  const version = headers.get('MCP-Protocol-Version')
  const isNewest = version === newestRevision || sent.some(hasNewestVersion)
  if (isNewest) return newestRevision
  if (isOfficialRevision(version)) return version
  return sessions.get(headers.get('Mcp-Session-Id') ?? '') ?? '2025-03-26'
}

function hasNewestVersion({ params }: JsonRecord): boolean {
  const meta = isObject(params) ? params['_meta'] : undefined
  return isObject(meta) && 'io.modelcontextprotocol/protocolVersion' in meta
}
