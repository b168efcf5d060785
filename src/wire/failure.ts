import type { JsonObject } from './json.ts'

/**
 * Every way in which a request can fail before, or instead of, a result. The union is rich so that
 * tests and logs can be exact; `toRpcError` alone decides what a client may read of it.
 */
export type Failure =
  | { readonly kind: 'unparsable'; readonly why: string }
  | { readonly kind: 'invalid-request'; readonly why: string }
  | { readonly kind: 'malformed-params'; readonly why: string }
  | { readonly kind: 'invalid-params'; readonly why: string; readonly data?: JsonObject }
  | { readonly kind: 'unknown-method'; readonly method: string }
  | { readonly kind: 'header-mismatch'; readonly why: string }
  | { readonly kind: 'missing-capability'; readonly missing: JsonObject }
  | {
      readonly kind: 'unsupported-version'
      readonly requested: string
      readonly supported: readonly string[]
    }
  | { readonly kind: 'internal'; readonly errorId: string }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'foreign-origin'; readonly origin: string }
  /** `challenge` is the `WWW-Authenticate` header that goes with it. */
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
      /** Whole seconds after which the request may be sent again. */
      readonly retryAfter: number
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly kind: 'body-too-large'; readonly limit: number }
  | { readonly kind: 'unsupported-media-type'; readonly contentType: string }
  | { readonly kind: 'not-acceptable'; readonly accept: string }
  | { readonly kind: 'method-not-allowed'; readonly method: string; readonly allow: string }
  | { readonly kind: 'not-found'; readonly path: string; readonly endpoint: string }
