import type { Caller } from '../protocol/caller.ts'
import type { JsonObject } from '../protocol/json.ts'

/**
 * One way to authenticate requests. Each way is a module of its own, so that a Worker carries only the
 * code that it uses.
 */
export interface Authenticator {
  /**
   * Decides who sent a request. An exception, or a result that is not an {@link AuthResult}, means that
   * the credentials could not be checked, for which the caller is not to blame: it is logged, and the
   * request is answered with 503.
   */
  readonly authenticate: (context: AuthContext) => Promise<AuthResult>
  /** Returns the issuers of tokens for a resource (RFC 9728); none if clients cannot get a token. */
  readonly authorizationServers: (resource: string) => readonly string[]
  /** Whether a request without credentials is let in, with `caller` set to `null`. */
  readonly allowsAnonymous: boolean
}

/** What signs in callers under `wrangler dev` without an authorization server: see `helve token`. */
export interface LocalIssuer {
  /** The key set that verifies its tokens. */
  readonly jwks: JsonObject
  /** Returns an authenticator that also accepts its tokens. */
  readonly extend: (auth: Authenticator) => Authenticator
}

/**
 * The part of `ExecutionContext` that Helve uses. Frameworks, such as Hono, have types of their own for the
 * context, which have this part in common with Cloudflare's.
 */
export interface RequestContext {
  waitUntil(work: Promise<unknown>): void
  /** Where the classes of the Worker are; on Cloudflare it is always there. */
  readonly exports?: unknown
  /** What another Worker, or a wrapper such as an OAuth provider, passes on. */
  readonly props?: unknown
}

/** The head of a request, which is all that an {@link Authenticator} may decide by. */
export interface AuthContext {
  readonly headers: Headers
  readonly url: string
  readonly env: Cloudflare.Env
  readonly ctx: RequestContext
  /** The URI that a token for this server must have as its audience. */
  readonly resource: string
  readonly log: AuthLog
  readonly refusals: Refusals
}

/** Counts, for each address, the requests whose credentials were refused after a question to others. */
export interface Refusals {
  /**
   * Runs `ask`, which asks another service about the credentials of a request. If too many requests
   * of the same address were refused, `ask` does not run, and the request is answered with 429.
   */
  readonly ask: (
    context: Pick<AuthContext, 'headers' | 'ctx'>,
    ask: () => Promise<AuthResult>,
  ) => Promise<AuthResult>
}

/** The Worker's log, in which secrets are masked. */
export interface AuthLog {
  /** Logs what was thrown, and returns the id of the log line. */
  readonly error: (what: string, thrown: unknown) => string
  readonly warn: (what: string, detail: string, thrown?: unknown) => void
}

/** What an {@link Authenticator} found out about a request. */
export type AuthResult =
  | { readonly kind: 'caller'; readonly caller: Caller }
  /** The request has no credentials. */
  | { readonly kind: 'anonymous' }
  /** The credentials do not have the required syntax. */
  | { readonly kind: 'malformed' }
  /** The credentials are not valid; clients receive `why`, a sentence. */
  | { readonly kind: 'refused'; readonly why: string }
