import type { RequestContext } from '../define/authenticator.ts'
import { Call } from '../mcp/call.ts'
import { openEnvelope } from '../mcp/envelope.ts'
import { findMethod } from '../mcp/methods.ts'
import type { Settings } from '../mcp/settings.ts'
import type { Failure } from '../protocol/failure.ts'
import { type Outcome, fail } from '../protocol/outcome.ts'
import { respond, respondInTime, toInternalFailure } from './respond.ts'
import { serveLegacy } from './legacy.ts'
import { checkHost, isOriginAllowed } from './origin.ts'
import { readMessage } from './read-message.ts'
import type { Route } from './routes.ts'

/** What a request is served with. */
export interface Served {
  readonly settings: Settings
  readonly route: Route
}

/** Null in production, where no code calls {@link substitute}. */
let substitutes: WeakMap<object, Served> | null = null

/**
 * Serves the request that is passed on with this `ctx` with other settings. For `helve/testing`: only code in
 * this isolate has a `ctx`, so that no request can ask for it.
 */
export function substitute(ctx: object, served: Served): void {
  substitutes ??= new WeakMap()
  substitutes.set(ctx, served)
}

export function findSubstitute(ctx: object): Served | null {
  return substitutes === null ? null : (substitutes.get(ctx) ?? null)
}

/**
 * Handles one request. A POST to the endpoint is one JSON-RPC message, which passes these steps
 * until one of them ends it. All other requests are routed.
 */
export async function serve(
  { settings, route }: Served,
  request: Request,
  env: Cloudflare.Env,
  ctx: RequestContext,
): Promise<Response> {
  const call = new Call(settings, env, ctx, request)
  // nearly every request is a message, and parsing its URL costs as much as parsing its JSON
  const isMessage = request.method === 'POST' && isAt(request.url, settings.endpoint)
  try {
    const refused = checkOrigin(call, isMessage)
    if (!isMessage) {
      return respond(call, await route(request, call, refused, () => admit(call, ctx)))
    }
    const ended =
      refused ?? (await admit(call, ctx)) ?? (await readMessage(call)) ?? openEnvelope(call)
    if (ended?.kind === 'legacy') return await serveLegacy(call, ended)
    if (ended !== null) return respond(call, ended)
    const method = findMethod(call)
    if (method === null) return respond(call, fail({ kind: 'unknown-method', method: call.method }))
    return await respondInTime(call, method(call))
  } catch (error) {
    const outcome = toInternalFailure(call, error)
    if (isMessage) return respond(call, outcome)
    return respond(call, fail({ kind: 'document-failed', cause: outcome.failure }))
  }
}

function isAt(url: string, endpoint: string): boolean {
  const path = url.slice(url.indexOf('/', 'https://'.length))
  return path === endpoint || new URL(url).pathname.replace(/(?<=.)\/+$/, '') === endpoint
}

/** Refuses web pages of foreign origins (basic/transports/streamable-http, "Security & Endpoint"). */
function checkOrigin(call: Call, isMessage: boolean): Outcome | null {
  const origin = call.headers.get('Origin')
  // browsers send no Origin with a GET of the page's own host, which may be rebound to this server
  if (origin === null) return isMessage ? null : checkHost(call)
  if (!isOriginAllowed(call.settings.origins, origin, call.request?.url ?? '')) {
    // without CORS headers: the page must not read the reply, its developer sees it in the network
    // panel
    return fail({ kind: 'foreign-origin', origin })
  }
  call.origin = origin
  return null
}

/** Authenticates and counts the request, before its body is read. */
async function admit(call: Call, ctx: RequestContext): Promise<Outcome | null> {
  const { guard, requestLimit } = call.settings
  if (guard !== null && call.request !== null) {
    call.execution = ctx
    const admission = await guard.admit(call.request, call.env, ctx, call.log)
    if (admission.kind === 'refused') return fail(await countRefusal(call, admission.failure))
    call.caller = admission.caller
    call.callerDigest = admission.digest
  }
  if (requestLimit === null) return null
  const limited = await requestLimit.count(call.countedAs, call.env, call.log)
  return limited === null ? null : fail(limited)
}

/** Counts a refused request by its address, since it has no caller. */
async function countRefusal(call: Call, refusal: Failure): Promise<Failure> {
  const { guard, requestLimit } = call.settings
  if (requestLimit === null || refusal.kind === 'rate-limited') return refusal
  const address = call.countedAs
  const limited = await requestLimit.count(address, call.env, call.log)
  if (limited === null) return refusal
  guard?.block(address, limited.retryAfter)
  return limited
}
