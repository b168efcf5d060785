import { excerpt } from '../util/excerpt.ts'
import { type JsonObject, isJsonObject } from './json.ts'
import { supportedVersions } from './meta.ts'

/**
 * Every reason why a request has no result. The union is detailed for logs and tests; only
 * `toRpcError` decides which part of it a client may read.
 */
export type Failure =
  | { readonly kind: 'unparsable'; readonly why: string }
  | { readonly kind: 'invalid-request'; readonly why: string }
  | { readonly kind: 'malformed-params'; readonly why: string }
  | {
      readonly kind: 'invalid-params'
      readonly why: string
      /** What to do next: a sentence after `why`, and a member of `data`. */
      readonly advice?: string
      readonly data?: JsonObject
    }
  | { readonly kind: 'resource-not-found'; readonly why: string; readonly uri: string }
  | { readonly kind: 'unknown-method'; readonly method: string }
  | { readonly kind: 'header-mismatch'; readonly why: string }
  | { readonly kind: 'missing-capability'; readonly missing: JsonObject }
  | {
      readonly kind: 'unsupported-version'
      readonly requested: string
      readonly supported: readonly string[]
    }
  /** A client of an earlier revision, which this server does not serve. */
  | { readonly kind: 'legacy-client'; readonly requested: string }
  /** The `Mcp-Session-Id` is forged, too old, ended, or another caller's. */
  | { readonly kind: 'session-not-found' }
  | { readonly kind: 'internal'; readonly errorId: string }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'foreign-origin'; readonly origin: string }
  | { readonly kind: 'foreign-host'; readonly host: string }
  /** `challenge` is the value of `WWW-Authenticate`. */
  | { readonly kind: 'unauthorized'; readonly why: string; readonly challenge: string }
  | { readonly kind: 'malformed-credentials'; readonly why: string; readonly challenge: string }
  | {
      readonly kind: 'insufficient-scope'
      readonly needed: readonly string[]
      readonly challenge: string
    }
  | { readonly kind: 'authentication-unavailable'; readonly errorId: string }
  | {
      readonly kind: 'rate-limited'
      /** Whole seconds until the request may be sent again. */
      readonly retryAfter: number
      readonly headers: Readonly<Record<string, string>>
    }
  /** The caller has as many open streams as one caller may have. */
  | { readonly kind: 'too-many-listeners'; readonly most: number }
  | { readonly kind: 'document-failed'; readonly cause: Failure }
  | { readonly kind: 'body-too-large'; readonly limit: number }
  | { readonly kind: 'body-too-late'; readonly seconds: number }
  | { readonly kind: 'body-read-before' }
  | { readonly kind: 'unsupported-media-type'; readonly contentType: string }
  | { readonly kind: 'unsupported-encoding'; readonly encoding: string }
  | { readonly kind: 'not-acceptable'; readonly accept: string }
  | { readonly kind: 'method-not-allowed'; readonly method: string; readonly allow: string }
  | { readonly kind: 'not-found'; readonly path: string; readonly endpoint: string }

/** The error object of a JSON-RPC response, with its HTTP status and headers. */
export interface RpcError {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const invalidRequest = -32600
const invalidParams = -32602
const internalError = -32603
/** Outside the ranges that JSON-RPC and MCP reserve. */
const tooManyRequests = 429

/**
 * Converts a failure to its status, code and message (basic/index, "Error Codes"). A failure of the
 * method itself has status 200: with any other status, except 400 and 404, clients treat the body as an
 * HTTP error, and its message never reaches the caller.
 */
export function toRpcError(failure: Failure): RpcError {
  const error = toSentences(failure)
  const data = toData(failure)
  return data === undefined ? error : { ...error, data }
}

/**
 * Returns what a program needs to react to a failure, by names: the sentence of an error is for
 * people. The specification defines `supported`, `requested` and `requiredCapabilities`.
 */
function toData(failure: Failure): JsonObject | undefined {
  switch (failure.kind) {
    case 'unknown-method':
    case 'malformed-params':
      // `initialize` is one of these: a client of an older revision can only show the error
      return { supported: supportedVersions }
    case 'invalid-params': {
      const { advice, data } = failure
      return advice === undefined ? data : { ...data, advice }
    }
    case 'resource-not-found':
      return { uri: failure.uri }
    case 'internal':
      return { errorId: failure.errorId }
    case 'authentication-unavailable':
      return { errorId: failure.errorId, retryAfter: unavailableSeconds }
    case 'rate-limited':
      return { retryAfter: failure.retryAfter }
    case 'insufficient-scope':
      return { requiredScopes: failure.needed }
    case 'document-failed':
      return toData(failure.cause)
    case 'body-too-large':
      return { maxBytes: failure.limit }
    case 'unsupported-media-type':
      return { accepted: ['application/json'] }
    case 'not-acceptable':
      return { accepted: ['application/json', 'text/event-stream'] }
    case 'method-not-allowed':
      return { allowed: failure.allow.split(', ') }
    case 'not-found':
      return { endpoint: failure.endpoint }
    default:
      return undefined
  }
}

/** Seconds after which a request is sent again whose credentials could not be checked. */
const unavailableSeconds = 5

function toSentences(failure: Failure): RpcError {
  switch (failure.kind) {
    case 'unparsable':
      return { status: 400, code: -32700, message: `Parse error: ${failure.why}` }
    case 'invalid-request':
      return { status: 400, code: invalidRequest, message: `Invalid request: ${failure.why}` }
    case 'malformed-params':
      return { status: 400, code: invalidParams, message: `Invalid params: ${failure.why}` }
    case 'invalid-params':
      return {
        status: 200,
        code: invalidParams,
        message: failure.advice === undefined ? failure.why : `${failure.why} ${failure.advice}`,
      }
    case 'resource-not-found':
      return { status: 200, code: invalidParams, message: failure.why }
    case 'unknown-method':
      return { status: 404, code: -32601, message: `Method not found: ${excerpt(failure.method)}` }
    case 'header-mismatch':
      return { status: 400, code: -32020, message: `Header mismatch: ${failure.why}` }
    case 'missing-capability':
      return {
        status: 400,
        code: -32021,
        message:
          'This request needs client capabilities that were not declared: ' +
          `${toCapabilityNames(failure.missing).join(', ')}.`,
        data: { requiredCapabilities: failure.missing },
      }
    case 'unsupported-version':
      return {
        status: 400,
        code: -32022,
        message: `Unsupported protocol version. Supported: ${failure.supported.join(', ')}.`,
        data: { supported: failure.supported, requested: excerpt(failure.requested) },
      }
    case 'legacy-client':
      return {
        status: 400,
        code: -32022,
        message:
          `This server speaks only MCP ${supportedVersions.join(', ')}, and this client opened with ` +
          `revision ${excerpt(failure.requested)}. Update the client, or ask the server's operator to allow earlier revisions.`,
        data: { supported: supportedVersions, requested: excerpt(failure.requested) },
      }
    case 'session-not-found':
      return {
        status: 404,
        code: invalidRequest,
        message:
          'This session does not exist or has ended. Send `initialize` without Mcp-Session-Id.',
      }
    case 'failed':
      return { status: 200, code: internalError, message: failure.why }
    case 'internal':
      return {
        status: 200,
        code: internalError,
        message: `Internal error. The server's log has the details under ${failure.errorId}.`,
      }
    case 'foreign-origin':
      return {
        status: 403,
        code: invalidRequest,
        message:
          `Origin ${excerpt(failure.origin)} may not call this server. ` +
          'To allow it, add it to `origins` of createWorker.',
      }
    case 'foreign-host':
      return {
        status: 403,
        code: invalidRequest,
        message:
          `Over plain HTTP this server is not known as ${failure.host}. Use https or localhost. ` +
          `To allow the host, add http://${failure.host} to \`origins\` of createWorker.`,
      }
    case 'unauthorized':
      return { status: 401, code: invalidRequest, message: failure.why, ...challenged(failure) }
    case 'malformed-credentials':
      return { status: 400, code: invalidRequest, message: failure.why, ...challenged(failure) }
    case 'insufficient-scope':
      return {
        status: 403,
        code: invalidRequest,
        message:
          `These credentials lack a scope. Send the request with credentials that have ` +
          `${failure.needed.join(' and ')}.`,
        ...challenged(failure),
      }
    case 'authentication-unavailable':
      return {
        status: 503,
        code: internalError,
        message:
          'Credentials cannot be checked at the moment. Try again in a few seconds. ' +
          `The server's log has the reason under ${failure.errorId}.`,
        headers: { 'Retry-After': String(unavailableSeconds) },
      }
    case 'rate-limited':
      return {
        status: 429,
        code: tooManyRequests,
        message: `Too many requests. Try again in ${failure.retryAfter} seconds.`,
        headers: failure.headers,
      }
    case 'too-many-listeners':
      return {
        status: 429,
        code: tooManyRequests,
        message:
          `You have ${failure.most} open streams of notifications, which is the limit. ` +
          'Close one of them, or subscribe to more in one request.',
        // the hub has noticed by then that a client has disconnected
        headers: { 'Retry-After': '30' },
      }
    case 'document-failed': {
      const { cause } = failure
      const status = cause.kind === 'invalid-params' ? 400 : 500
      return {
        ...toRpcError(cause),
        status,
        headers: { 'Cloudflare-CDN-Cache-Control': 'no-store' },
      }
    }
    case 'body-too-large':
      return {
        status: 413,
        code: invalidRequest,
        message: `The body is larger than ${failure.limit} bytes. Send less in one request.`,
      }
    case 'body-too-late':
      return {
        status: 408,
        code: invalidRequest,
        message: `The body did not end within ${failure.seconds} seconds. Send the request again.`,
      }
    case 'body-read-before':
      return {
        status: 500,
        code: internalError,
        message:
          "The request's body was read before Helve got it. In the Worker's code, pass " +
          '`request.clone()` to what reads it first.',
      }
    case 'unsupported-encoding':
      return {
        status: 415,
        code: invalidRequest,
        message:
          `Content-Encoding is ${failure.encoding}, and only identity is accepted. ` +
          'Send the body without an encoding.',
        // RFC 9110, 15.5.16
        headers: { 'Accept-Encoding': 'identity' },
      }
    case 'unsupported-media-type':
      return {
        status: 415,
        code: invalidRequest,
        message: `Content-Type is ${excerpt(failure.contentType)}. Send application/json.`,
      }
    case 'not-acceptable':
      return {
        status: 406,
        code: invalidRequest,
        message:
          `Accept is ${excerpt(failure.accept)}. ` +
          'Responses are application/json or text/event-stream: accept one of them.',
      }
    case 'method-not-allowed':
      return {
        status: 405,
        code: invalidRequest,
        message: `${excerpt(failure.method)} is not allowed here. Allowed: ${failure.allow}.`,
        headers: { Allow: failure.allow },
      }
    case 'not-found':
      return {
        status: 404,
        code: invalidRequest,
        message: `Nothing is served at ${excerpt(failure.path)}. The MCP endpoint is ${failure.endpoint}.`,
      }
  }
}

const resourceNotFound = -32002

/**
 * Converts a failure for a client of an earlier revision. These clients read an error of a method
 * only if the status is 200, and know another code for unknown resources (server/resources, "Error
 * Handling").
 */
export function toLegacyError(failure: Failure): RpcError {
  const error = toRpcError(failure)
  switch (failure.kind) {
    case 'unknown-method':
    case 'malformed-params':
      return { status: 200, code: error.code, message: error.message }
    case 'resource-not-found':
      return { ...error, code: resourceNotFound }
    default:
      return error
  }
}

/** Names capabilities as clients declare them, such as `sampling.tools`. */
export function toCapabilityNames(capabilities: JsonObject): readonly string[] {
  return Object.entries(capabilities).flatMap(([name, members]) => {
    const inner = isJsonObject(members) ? Object.keys(members) : []
    return inner.length === 0 ? [name] : inner.map((member) => `${name}.${member}`)
  })
}

function challenged({ challenge }: { readonly challenge: string }): Pick<RpcError, 'headers'> {
  return { headers: { 'WWW-Authenticate': challenge } }
}
