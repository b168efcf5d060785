import type { AuthContext, AuthResult, Authenticator } from '../../define/authenticator.ts'

type AuthenticateToken = (token: string, context: AuthContext) => Promise<AuthResult>

/** Creates the `authenticate` of an authenticator whose credentials are bearer tokens. */
export function authenticateBearer(
  authenticateToken: AuthenticateToken,
): Authenticator['authenticate'] {
  return async (context) => {
    const bearer = readBearerToken(context.headers)
    switch (bearer.kind) {
      case 'none':
        return { kind: 'anonymous' }
      case 'malformed':
        return bearer
      case 'token':
        return authenticateToken(bearer.token, context)
    }
  }
}

export type BearerToken =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string }

const scheme = /^bearer(?: |$)/i
const credentials = /^bearer +([\w.~+/-]+=*)$/i

/**
 * Reads the bearer token of a request (RFC 6750, 2.1). Only the `Authorization` header is read: a token
 * in a URL ends up in logs and histories (basic/authorization, "Token Requirements").
 */
export function readBearerToken(headers: Headers): BearerToken {
  const header = headers.get('Authorization') ?? ''
  // credentials of another scheme count as none (RFC 6750, 3.1)
  if (!scheme.test(header)) return { kind: 'none' }
  const token = credentials.exec(header)?.[1]
  return token === undefined ? { kind: 'malformed' } : { kind: 'token', token }
}

const encoder = new TextEncoder()

/**
 * Returns the SHA-256 of a token. Tokens are stored and looked up by their digest, which is worthless
 * to a thief.
 */
export async function toTokenDigest(token: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(token)))
}

/**
 * Reads a secret of the Worker by its name. Called for each request, as there is no `env` at start.
 *
 * @throws {Error} if the secret is not set.
 */
export function readWorkerSecret(env: object, name: string): string {
  const secret: unknown = Reflect.get(env, name)
  if (typeof secret === 'string' && secret !== '') return secret
  throw new Error(
    `The secret ${name} is not set. Set it with \`wrangler secret put ${name}\`, and for ` +
      '`wrangler dev` in the file .dev.vars.',
  )
}
