import type { IRequest } from 'itty-router'
import { IttyRouter } from 'itty-router/IttyRouter'
import { metadataHeaders } from '../auth/request/resource-metadata.ts'
import { noStore } from '../cache/freshness.ts'
import type { Call } from '../mcp/call.ts'
import type { Settings } from '../mcp/settings.ts'
import { type HttpOutcome, type Outcome, fail } from '../protocol/outcome.ts'
import { answerDocument, documentMethods, readDocumentName } from './list-documents.ts'
import { checkHost, toPreflightHeaders } from './origin.ts'
import {
  asksForStream,
  notAllowed,
  serveDelete,
  serveNotifications,
  toEndpointMethods,
} from './session-routes.ts'

type Ended = Outcome | HttpOutcome

/** Handles a request that is not a message. `refused` is the outcome if its origin is refused. */
export type Route = (
  request: Request,
  call: Call,
  refused: Ended | null,
  admit: () => Promise<Ended | null>,
) => Promise<Ended>

/** Creates the router for all requests but messages: documents, preflights, metadata, refusals. */
export function createRoute({ endpoint, documents, registry }: Settings): Route {
  const jwks = registry.localIssuer?.jwks
  const router = IttyRouter<IRequest, [Call, () => Promise<Ended | null>], Ended>()
    .options('*', (request, call) => answerOptions(request, call))
    .get(endpoint, (_, call, admit) =>
      asksForStream(call) ? serveNotifications(call, admit) : undefined,
    )
    .delete(endpoint, (_, call, admit) => serveDelete(call, admit))
    .all(endpoint, (_, call) => notAllowed(call))
    .all('*', async ({ url }, call, admit) => {
      const name = documents ? readDocumentName(url, endpoint) : null
      // documents have the same authentication as calls
      return name === null ? undefined : ((await admit()) ?? answerDocument(name, call))
    })
    .get(localJwksPath, () => (jwks === undefined ? undefined : toJsonDocument(jwks)))
    .all('*', ({ url }) => fail({ kind: 'not-found', path: new URL(url).pathname, endpoint }))

  return async (request, call, refused, admit) => {
    // before the check of origins: the metadata is public, and a page reads it before it can call
    const metadata = answerMetadata(request, call)
    return metadata ?? refused ?? router.fetch(request, call, admit)
  }
}

/** Where `wrangler dev` serves the key set of `helve token`; a deployed Worker has none. */
const localJwksPath = '/.well-known/helve-local-jwks.json'

function toJsonDocument(document: object): HttpOutcome {
  const headers = { ...noStore, 'Content-Type': 'application/json' }
  return { kind: 'http', status: 200, headers, body: JSON.stringify(document) }
}

/** Serves the protected resource metadata (RFC 9728) to pages of every origin. */
function answerMetadata({ method, url }: Request, call: Call): Ended | null {
  const document = call.settings.guard?.describe(url) ?? null
  if (document === null) return null
  const refused = checkHost(call)
  if (refused !== null) return refused
  call.origin = null
  if (method === 'OPTIONS') {
    return { kind: 'http', status: 204, headers: metadataHeaders, body: null }
  }
  if (method !== 'GET' && method !== 'HEAD') {
    return fail({ kind: 'method-not-allowed', method, allow: 'GET, OPTIONS' })
  }
  const headers = { 'Content-Type': 'application/json', ...metadataHeaders }
  return { kind: 'http', status: 200, headers, body: JSON.stringify(document) }
}

// at any path, so that a browser can read the 404 of a mistyped endpoint
function answerOptions({ headers, url }: IRequest, call: Call): HttpOutcome {
  const isPreflight = headers.has('Origin') && headers.has('Access-Control-Request-Method')
  if (isPreflight) {
    const requested = headers.get('Access-Control-Request-Headers') ?? ''
    const preflight = { ...noStore, ...toPreflightHeaders(requested) }
    return { kind: 'http', status: 204, headers: preflight, body: null }
  }
  const { documents, endpoint } = call.settings
  const isDocument = documents && readDocumentName(url, endpoint) !== null
  const Allow = isDocument ? documentMethods : toEndpointMethods(call)
  return { kind: 'http', status: 204, headers: { ...noStore, Allow }, body: null }
}
