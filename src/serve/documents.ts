import { noStore, toCaching } from '../cache/freshness.ts'
import { type Document, type Documents, documentNames } from '../mcp/documents.ts'
import { type Failure, toRpcError } from '../protocol/failure.ts'
import { fail } from '../protocol/outcome.ts'
import { logIncident } from '../out/log.ts'
import { type Answer, Arrival, type Inbound, refuse } from './answer-message.ts'
import { printError } from './respond.ts'
import { createChannel } from './stream.ts'

/** Whether a path below the endpoint is that of a document, and of which. */
export function readDocumentName(url: string, endpoint: string): string | null {
  const { pathname } = new URL(url)
  const base = endpoint === '/' ? '' : endpoint
  return documentNames.find((name) => pathname === `${base}/${name}`) ?? null
}

/** What can be done with a document. */
export const allowedOfDocuments = 'GET, HEAD, OPTIONS'

/** Answers a GET or HEAD of a document (RFC 9110, 13.1.2 for what has not changed). */
export async function answerDocument(
  name: string,
  documents: Documents,
  arrived: Omit<Inbound, 'accepted'>,
): Promise<Answer | undefined> {
  const { method, headers } = arrived.request
  if (method !== 'GET' && method !== 'HEAD') {
    return refuse({ kind: 'method-not-allowed', method, allow: allowedOfDocuments })
  }
  const document = await ask(name, documents, arrived)
  if (document === null) return undefined
  if (document.kind === 'failure') return toFailed(document.failure)
  const { body, freshness } = document
  const { reply } = toCaching(freshness)
  if (isSame(headers.get('If-None-Match'), freshness.etag ?? '')) {
    return { kind: 'document', status: 304, body: null, headers: reply }
  }
  return { kind: 'document', status: 200, body: method === 'HEAD' ? null : body, headers: reply }
}

/** Keeps what is thrown from whoever asks, and tells the log. */
async function ask(
  name: string,
  documents: Documents,
  arrived: Omit<Inbound, 'accepted'>,
): Promise<Document | null> {
  const { request, mask } = arrived
  const cursor = new URL(request.url).searchParams.get('cursor')
  try {
    return await documents(name, cursor, new Arrival(arrived, createChannel(request, false)))
  } catch (error) {
    return fail({ kind: 'internal', errorId: logIncident(`GET ${name}`, error, mask) })
  }
}

function toFailed(failure: Failure): Answer {
  const status = failure.kind === 'invalid-params' ? 400 : 500
  const body = printError(undefined, toRpcError(failure))
  return { kind: 'document', status, body, headers: noStore }
}

/** Weak comparison: a CDN that compresses a document weakens its tag. */
function isSame(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.some((tag) => tag === etag || tag === '*')
}
