import type { IRequest } from 'itty-router'
import { IttyRouter } from 'itty-router/IttyRouter'
import type { Guard } from '../auth/request/guard.ts'
import type { RequestLimit } from '../auth/request/request-limit.ts'
import type { Documents } from '../mcp/documents.ts'
import type { Implementation } from '../protocol/content.ts'
import type { OpenMask } from '../out/mask.ts'
import { type Answer, type Handle, createDoor, nobody, receive, refuse } from './answer-message.ts'
import { allowedOfDocuments, answerDocument, readDocumentName } from './documents.ts'
import { type Origins, createOriginCheck } from './origin.ts'
import { createRespond } from './respond.ts'

export interface TransportOptions {
  /** The path of the MCP endpoint, such as `/mcp`. */
  readonly endpoint: string
  readonly origins: Origins
  /** What every result says of this server. */
  readonly serverInfo: Implementation
  /** Who stands at the door; nobody unless given. */
  readonly guard?: Guard
  /** Counts requests before their bodies are read; nothing does unless given. */
  readonly limit?: RequestLimit
  /** For what is written to the log. */
  readonly openMask: OpenMask
  readonly handle: Handle
  /** The lists as plain documents; none unless given. */
  readonly documents?: Documents
}

type Surroundings = [env: Cloudflare.Env, ctx: ExecutionContext]

export type Transport = (request: Request, ...surroundings: Surroundings) => Promise<Response>

/**
 * Makes the Streamable HTTP transport (basic/transports/streamable-http): HTTP in, a JSON-RPC request
 * to `handle`, its outcome out as HTTP. Holds no state between requests.
 *
 * @throws {RangeError} when `origins` has an entry that is not an origin.
 */
export function createTransport(options: TransportOptions): Transport {
  const { endpoint, handle, openMask, guard = null, limit = null, documents } = options
  const allowsOrigin = createOriginCheck(options.origins)
  const respond = createRespond(options.serverInfo)
  const door = createDoor(guard, limit)

  const enter = async (request: Request, ...[env, ctx]: Surroundings): Promise<Answer> => {
    const admitted = await door(request, env, ctx)
    if ('kind' in admitted) return admitted
    return receive({ request, env, ctx, admitted, mask: openMask(env) }, handle)
  }
  const enterDocument = async (request: Request, ...[env, ctx]: Surroundings) => {
    const name = documents && readDocumentName(request.url, endpoint)
    if (!documents || !name) return undefined
    // whoever may not call may not look either; and whoever may sees what nobody in particular sees
    const admitted = await door(request, env, ctx)
    if ('kind' in admitted) return admitted
    const arrived = { request, env, ctx, admitted: nobody, mask: openMask(env) }
    return answerDocument(name, documents, arrived)
  }
  const allowedAt = (url: string): string =>
    documents && readDocumentName(url, endpoint) ? allowedOfDocuments : allowed
  const router = IttyRouter<IRequest, Surroundings, Answer>()
    .options('*', (request) => answerOptions(request, allowedAt(request.url)))
    .post(endpoint, enter)
    .all(endpoint, ({ method }: Request) =>
      refuse({ kind: 'method-not-allowed', method, allow: allowed }),
    )
    .all('*', enterDocument)
    .all('*', ({ url }: Request) =>
      refuse({ kind: 'not-found', path: new URL(url).pathname, endpoint }),
    )

  return async (request, ...surroundings) => {
    // nearly every request is this one, and parsing its URL to route it costs as much as its JSON
    const isCall = request.method === 'POST' && isAt(request.url, endpoint)
    const metadata = isCall ? null : toMetadata(guard, request)
    // before the origins: this is public, and a page has to read it before it can call
    if (metadata !== null) return respond(metadata, null)
    const origin = request.headers.get('Origin')
    if (origin !== null && !allowsOrigin(origin, request.url)) {
      // no CORS headers: the page must not read this, its developer finds it in the network panel
      return respond(refuse({ kind: 'foreign-origin', origin }), null)
    }
    const route = isCall ? enter : router.fetch
    return respond(await route(request, ...surroundings), origin)
  }
}

const allowed = 'POST, OPTIONS'

function isAt(url: string, endpoint: string): boolean {
  return url.slice(url.indexOf('/', 'https://'.length)) === endpoint
}

function toMetadata(guard: Guard | null, { method, url }: Request): Answer | null {
  const document = guard?.describe(url) ?? null
  if (document === null) return null
  if (method === 'OPTIONS') return { kind: 'metadata-preflight' }
  if (method === 'GET' || method === 'HEAD') return { kind: 'metadata', document }
  return refuse({ kind: 'method-not-allowed', method, allow: 'GET, OPTIONS' })
}

// at any path, so that a browser may read the 404 of a mistyped endpoint
function answerOptions({ headers }: Request, allow: string): Answer {
  const isPreflight = headers.has('Origin') && headers.has('Access-Control-Request-Method')
  if (!isPreflight) return { kind: 'options', allow }
  const requestedHeaders = headers.get('Access-Control-Request-Headers') ?? ''
  return { kind: 'preflight', requestedHeaders }
}
