import { metadataHeaders } from '../auth/request/resource-metadata.ts'
import { type Caching, toOutcomeCaching } from '../cache/freshness.ts'
import type { Implementation } from '../protocol/content.ts'
import { type Failure, type RpcError, toRpcError } from '../protocol/failure.ts'
import type { RequestId } from '../protocol/message.ts'
import { metaKey } from '../protocol/meta.ts'
import type { Answer, FinalOutcome } from './answer-message.ts'
import { corsHeaders, preflightHeaders } from './origin.ts'
import type { MediaType } from './read-request.ts'
import { sseHeaders, toSseEvent } from './stream.ts'

/** Turns an {@link Answer} into a `Response`, readable by the page of `origin` unless it is `null`. */
type Respond = (answer: Answer, origin: string | null) => Response

type HeaderRecord = Readonly<Record<string, string>>

const common = {
  'Cache-Control': 'no-store',
  'MCP-Protocol-Version': '2026-07-28',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Origin',
}

// workerd copies a Headers object far faster than it reads a record, and most replies need no more
const plain = { 'Content-Type': 'application/json' }
const json = new Headers({ ...common, ...plain })

const made = new WeakMap<Caching, Headers>()

/** The headers of a reply that may be kept; those of a list are made once, as setting one is slow. */
function toHeaders(caching: Caching): Headers {
  const headers = made.get(caching) ?? new Headers({ ...common, ...plain, ...caching.reply })
  made.set(caching, headers)
  return headers
}

const document = {
  ...common,
  ...plain,
  // nor may Workers Cache, should it stand before this Worker, answer in its stead: nobody is asked for
  // credentials there, and nobody is counted
  'Cloudflare-CDN-Cache-Control': 'no-store',
}

/** Makes the one function that knows status codes (basic/transports/streamable-http). */
export function createRespond(serverInfo: Implementation): Respond {
  const print = createPrinter(serverInfo)

  return function respond(answer, origin) {
    const cors = corsHeaders(origin)
    switch (answer.kind) {
      case 'preflight':
        return toEmpty(204, { ...cors, ...preflightHeaders(answer.requestedHeaders) })
      case 'metadata':
        return Response.json(answer.document, { headers: metadataHeaders })
      case 'metadata-preflight':
        return toEmpty(204, metadataHeaders)
      case 'options':
        return toEmpty(204, { ...cors, Allow: answer.allow })
      case 'document': {
        const { status, body, headers } = answer
        return new Response(body, { status, headers: { ...document, ...cors, ...headers } })
      }
      case 'accepted':
        return toEmpty(202, cors)
      case 'refusal':
        return toRefusal(answer.id, answer.failure, 'application/json', cors)
      case 'reply': {
        const { id, mediaType, outcome } = answer
        if (outcome.kind === 'failure') return toRefusal(id, outcome.failure, mediaType, cors)
        const text = print(id, outcome)
        const caching = toOutcomeCaching(outcome)
        if (mediaType === 'application/json' && origin === null) {
          return new Response(text, { headers: caching === null ? json : toHeaders(caching) })
        }
        return toResponse(200, text, mediaType, { ...cors, ...caching?.reply })
      }
      case 'stream': {
        const { id, stream, outcome } = answer
        void outcome.then((outcome) => stream.end(print(id, outcome)))
        return new Response(stream.body, { headers: { ...common, ...cors, ...sseHeaders } })
      }
    }
  }
}

function toRefusal(
  id: RequestId | undefined,
  failure: Failure,
  mediaType: MediaType,
  cors: HeaderRecord,
): Response {
  const error = toRpcError(failure)
  // clients read the body of any other status as text, never as a stream
  const type = error.status === 200 ? mediaType : 'application/json'
  return toResponse(error.status, printError(id, error), type, { ...cors, ...error.headers })
}

function toResponse(
  status: number,
  message: string,
  mediaType: MediaType,
  headers: HeaderRecord,
): Response {
  const isStream = mediaType === 'text/event-stream'
  const response = new Response(isStream ? toSseEvent(message) : message, { status, headers: json })
  const own = isStream ? { ...headers, ...sseHeaders } : headers
  for (const [name, value] of Object.entries(own)) response.headers.set(name, value)
  return response
}

function toEmpty(status: number, headers: HeaderRecord): Response {
  return new Response(null, { status, headers: { ...common, ...headers } })
}

/**
 * Makes the printer of responses: a result's `resultType`, its own members, and `serverInfo` in its
 * `_meta`, or an error (basic/index, "Responses" and "_meta").
 */
function createPrinter(
  serverInfo: Implementation,
): (id: RequestId, outcome: FinalOutcome) => string {
  // the same in every result, so printed once
  const server = `"${metaKey.serverInfo}":${JSON.stringify(serverInfo)}`

  return (id, outcome) => {
    if (outcome.kind === 'failure') return printError(id, toRpcError(outcome.failure))
    const type = outcome.kind === 'result' ? 'complete' : 'input_required'
    const members = outcome.members === '' ? '' : `${outcome.members},`
    const caching = outcome.kind === 'result' && outcome.cache ? toOutcomeCaching(outcome) : null
    const hints = caching === null ? '' : `${caching.members},`
    const own = outcome.kind === 'result' && outcome.meta ? `${outcome.meta},` : ''
    return print(
      id,
      `"result":{"resultType":"${type}",${members}${hints}"_meta":{${own}${server}}}`,
    )
  }
}

/** Prints an error; under no id where that could not be read. */
export function printError(id: RequestId | undefined, { code, message, data }: RpcError): string {
  return print(id, `"error":${JSON.stringify({ code, message, data })}`)
}

function print(id: RequestId | undefined, member: string): string {
  const idMember = id === undefined ? '' : `"id":${JSON.stringify(id)},`
  return `{"jsonrpc":"2.0",${idMember}${member}}`
}
