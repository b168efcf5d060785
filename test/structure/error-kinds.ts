import { type Failure, toLegacyError, toRpcError } from '../../src/protocol/failure.ts'

type Kind = Failure['kind']

interface Example<K extends Kind> {
  readonly failure: Extract<Failure, { readonly kind: K }>
  /** What whoever gets it does next. */
  readonly advice: string
}

const why = '…'
const challenge = '…'
const errorId = '…'

/** Every kind of failure: the compiler refuses this file when one is missing. */
const examples: { readonly [K in Kind]: Example<K> } = {
  unparsable: {
    failure: { kind: 'unparsable', why },
    advice: 'Send one JSON value in UTF-8. The sentence says where it breaks.',
  },
  'invalid-request': {
    failure: { kind: 'invalid-request', why },
    advice: 'Send one JSON-RPC 2.0 message. The sentence names the member that is wrong.',
  },
  'malformed-params': {
    failure: { kind: 'malformed-params', why },
    advice:
      'Send the member of `params` that the sentence names. `data.supported` has the versions.',
  },
  'invalid-params': {
    failure: { kind: 'invalid-params', why },
    advice:
      'Correct what the sentence names; `data.advice` says how, `data.nearest` names what is similar.',
  },
  'resource-not-found': {
    failure: { kind: 'resource-not-found', why, uri: '…' },
    advice: 'List the resources and the templates, and read one of them.',
  },
  'unknown-method': {
    failure: { kind: 'unknown-method', method: '…' },
    advice: 'Call `server/discover`, which says what this server has.',
  },
  'header-mismatch': {
    failure: { kind: 'header-mismatch', why },
    advice: 'Send the header with the same value as the body, or let an official client do it.',
  },
  'missing-capability': {
    failure: { kind: 'missing-capability', missing: { '…': {} } },
    advice: 'Use a client that has the capability and declares it in `_meta`.',
  },
  'unsupported-version': {
    failure: { kind: 'unsupported-version', requested: '…', supported: ['…'] },
    advice: 'Send one of the versions in `data.supported`.',
  },
  'legacy-client': {
    failure: { kind: 'legacy-client', requested: '…' },
    advice: 'Update the client, or remove `legacy: false` from createWorker.',
  },
  'session-not-found': {
    failure: { kind: 'session-not-found' },
    advice: 'Send `initialize` again, as clients do on their own.',
  },
  internal: {
    failure: { kind: 'internal', errorId },
    advice: 'Look for the id in the log of the Worker, where the exception is in full.',
  },
  failed: {
    failure: { kind: 'failed', why },
    advice: 'Do what the sentence says. It is one of those below.',
  },
  'foreign-origin': {
    failure: { kind: 'foreign-origin', origin: '…' },
    advice: 'Add the page to `origins` of createWorker.',
  },
  'foreign-host': {
    failure: { kind: 'foreign-host', host: '…' },
    advice: 'Use https or localhost, or add the host to `origins`.',
  },
  unauthorized: {
    failure: { kind: 'unauthorized', why, challenge },
    advice: 'Get a token at the authorization server that `WWW-Authenticate` leads to.',
  },
  'malformed-credentials': {
    failure: { kind: 'malformed-credentials', why, challenge },
    advice: 'Send `Authorization: Bearer` and one token.',
  },
  'insufficient-scope': {
    failure: { kind: 'insufficient-scope', needed: ['…'], challenge },
    advice: 'Ask the authorization server for the scopes in `data.requiredScopes`.',
  },
  'authentication-unavailable': {
    failure: { kind: 'authentication-unavailable', errorId },
    advice:
      'Wait for `Retry-After`. The log names the issuer, the binding or the code that failed.',
  },
  'rate-limited': {
    failure: { kind: 'rate-limited', retryAfter: 60, headers: {} },
    advice:
      'Wait for `Retry-After`. If honest callers get it, raise the limit in `[[ratelimits]]`.',
  },
  'too-many-listeners': {
    failure: { kind: 'too-many-listeners', most: 64 },
    advice: 'Close a stream, or raise `hub.perCaller`.',
  },
  'document-failed': {
    failure: { kind: 'document-failed', cause: { kind: 'internal', errorId } },
    advice: 'As for the error that it repeats. It is not cached.',
  },
  'body-too-large': {
    failure: { kind: 'body-too-large', limit: 1_048_576 },
    advice: 'Send less, or a URL in place of the content.',
  },
  'body-too-late': {
    failure: { kind: 'body-too-late', seconds: 30 },
    advice: 'Send the request again, and end its body.',
  },
  'body-read-before': {
    failure: { kind: 'body-read-before' },
    advice: 'Pass `request.clone()` to the code that reads the body before `fetch` of Helve.',
  },
  'unsupported-media-type': {
    failure: { kind: 'unsupported-media-type', contentType: '…' },
    advice: 'Send `Content-Type: application/json`.',
  },
  'unsupported-encoding': {
    failure: { kind: 'unsupported-encoding', encoding: '…' },
    advice: 'Send the body as it is.',
  },
  'not-acceptable': {
    failure: { kind: 'not-acceptable', accept: '…' },
    advice: 'Send `Accept: application/json, text/event-stream`.',
  },
  'method-not-allowed': {
    failure: { kind: 'method-not-allowed', method: '…', allow: 'POST, OPTIONS' },
    advice: 'Use a method that `Allow` names.',
  },
  'not-found': {
    failure: { kind: 'not-found', path: '…', endpoint: '/mcp' },
    advice: 'Use the endpoint that the sentence names: `/mcp`, or `endpoint` of createWorker.',
  },
}

export interface WireError {
  readonly kind: string
  readonly status: number
  readonly code: number
  /** What differs for a client of an earlier revision. */
  readonly legacy: string
  readonly message: string
  readonly advice: string
}

/** Every error that a client can get, as the server sends it. */
export const wireErrors: readonly WireError[] = Object.values(examples).map(
  ({ failure, advice }) => {
    const { status, code, message } = toRpcError(failure)
    const old = toLegacyError(failure)
    const isSame = old.status === status && old.code === code
    const legacy = isSame ? '' : `; ${old.status}, ${old.code} for older clients`
    return { kind: failure.kind, status, code, legacy, message, advice }
  },
)
