/** What the `Authorization` header of a request brings. */
export type Bearer =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'token'; readonly token: string }

const scheme = /^bearer(?: |$)/i
const credentials = /^bearer +([\w.~+/-]+=*)$/i

/**
 * Reads a bearer token (RFC 6750, 2.1). There is no other place for one: a token in a URL ends up in
 * logs and histories, so it is never looked for there (basic/authorization, "Token Requirements").
 */
export function readBearer(headers: Headers): Bearer {
  const header = headers.get('Authorization') ?? ''
  // another scheme brings nothing that could be judged here (RFC 6750, 3.1)
  if (!scheme.test(header)) return { kind: 'none' }
  const token = credentials.exec(header)?.[1]
  return token === undefined ? { kind: 'malformed' } : { kind: 'token', token }
}
