import { toCacheDirectives } from '../cache/freshness.ts'
import type { Call } from '../mcp/call.ts'
import { findMethod } from '../mcp/methods.ts'
import { type HttpOutcome, type Outcome, fail, toMembers } from '../protocol/outcome.ts'
import { toDigest } from '../util/digest.ts'

const methodOf: Readonly<Record<string, string>> = {
  tools: 'tools/list',
  resources: 'resources/list',
  'resources/templates': 'resources/templates/list',
  prompts: 'prompts/list',
  server: 'server/discover',
}

const documentNames: readonly string[] = Object.keys(methodOf)

export const documentMethods = 'GET, HEAD, OPTIONS'

/** Returns the name of the document at a path below the endpoint; `null` for any other path. */
export function readDocumentName(url: string, endpoint: string): string | null {
  const { pathname } = new URL(url)
  const base = endpoint === '/' ? '' : endpoint
  return documentNames.find((name) => pathname === `${base}/${name}`) ?? null
}

const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  Vary: 'Origin',
  // Workers Cache in front of the Worker must not reply in its place: it checks no credentials and
  // counts no requests
  'Cloudflare-CDN-Cache-Control': 'no-store',
}

/**
 * Handles a GET or HEAD of a list as a plain document (RFC 9110, 13.1.2 for conditional requests).
 * It contains what an anonymous caller may see, for all callers; `undefined` if the server has no
 * such list.
 */
export async function answerDocument(
  name: string,
  call: Call,
): Promise<Outcome | HttpOutcome | undefined> {
  const { request, settings, sanitizer } = call
  const method = request?.method ?? 'GET'
  if (method !== 'GET' && method !== 'HEAD') {
    return fail({ kind: 'method-not-allowed', method, allow: documentMethods })
  }
  const cursor = new URL(request?.url ?? '').searchParams.get('cursor')
  const listCall = call.toAnonymous(methodOf[name] ?? '', cursor === null ? {} : { cursor })
  const list = findMethod(listCall)
  if (list === null) return undefined
  const outcome = await list(listCall)
  if (outcome.kind === 'failure') return fail({ kind: 'document-failed', cause: outcome.failure })
  if (outcome.kind !== 'result') throw new TypeError(`A list was answered with ${outcome.kind}.`)

  // the server's version would change the tags of all lists with each deploy
  const own = name === 'server' ? `,${toMembers({ serverInfo: settings.serverInfo })}` : ''
  const body = sanitizer.json(`{${outcome.members}${own}}`)
  const { guard } = settings
  const { reply } = toCacheDirectives({
    ttlMs: outcome.hints?.ttlMs ?? 0,
    // public caches may only serve it if requests without credentials are let in
    cacheScope: guard === null || guard.allowsAnonymous ? 'public' : 'private',
    etag: `"${await toDigest(body)}"`,
    tags: [name],
    ...(outcome.cached && { cached: outcome.cached }),
  })
  const isUnchanged = matchesTag(call.headers.get('If-None-Match'), reply['ETag'] ?? '')
  return {
    kind: 'http',
    status: isUnchanged ? 304 : 200,
    headers: { ...headers, ...reply },
    body: isUnchanged || method === 'HEAD' ? null : body,
    ...(outcome.cached && { cached: outcome.cached }),
  }
}

/** Compares weakly, because a CDN that compresses a document weakens its tag. */
function matchesTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.some((tag) => tag === etag || tag === '*')
}
