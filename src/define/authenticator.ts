import type { Caller } from '../protocol/caller.ts'

/** What a request comes with before anything of its body is read. */
export interface Arrival {
  readonly headers: Headers
  readonly url: string
  readonly env: Cloudflare.Env
  readonly ctx: ExecutionContext
  /** The URI that a token for this server must name. */
  readonly resource: string
}

/** What an {@link Authenticator} makes of the credentials of a request. */
export type Authenticated =
  | { readonly kind: 'caller'; readonly caller: Caller }
  /** There are no credentials. */
  | { readonly kind: 'anonymous' }
  /** There are some, but not as they are written. */
  | { readonly kind: 'malformed' }
  /** They are not good; `why` is a sentence that the client may read. */
  | { readonly kind: 'refused'; readonly why: string }

/** Tells who calls. Each kind is an import of its own, so that a Worker has only what it uses. */
export interface Authenticator {
  /** What it throws is for the log: nobody can tell at the moment, and the caller is not to blame. */
  readonly authenticate: (arrival: Arrival) => Promise<Authenticated>
  /** The issuers of tokens for a resource (RFC 9728); none where no client could get one itself. */
  readonly authorizationServers: (resource: string) => readonly string[]
  /** Whether requests without credentials are let in as nobody. */
  readonly allowsAnonymous: boolean
}
