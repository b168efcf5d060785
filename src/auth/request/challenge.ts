import type { AuthResult } from '../../define/authenticator.ts'
import type { Registry } from '../../define/registry.ts'
import type { Caller } from '../../protocol/caller.ts'
import type { Failure } from '../../protocol/failure.ts'

export type ChallengeDetails = Pick<Challenge, 'scopes' | 'metadataUrl'>

/** Converts a refused authentication to a failure (basic/authorization, "Error Handling"). */
export function toAuthFailure(
  authenticated: Exclude<AuthResult, { kind: 'caller' }>,
  challenged: ChallengeDetails,
): Failure {
  switch (authenticated.kind) {
    case 'anonymous':
      return toUnauthorized(challenged)
    case 'malformed': {
      const why = 'The Authorization header is not `Bearer` and one token.'
      const challenge = toChallenge({ ...challenged, error: 'invalid_request', description: why })
      return { kind: 'malformed-credentials', why, challenge }
    }
    case 'refused': {
      const { why } = authenticated
      const challenge = toChallenge({ ...challenged, error: 'invalid_token', description: why })
      return { kind: 'unauthorized', why: `${why} ${toAdvice(challenged)}`, challenge }
    }
  }
}

/**
 * Returns the failure for a caller who lacks scopes. An anonymous caller has to sign in first, and
 * is challenged for the same scopes.
 */
export function toStepUp(caller: Caller | null, challenged: ChallengeDetails): Failure {
  if (caller === null) return toUnauthorized(challenged)
  const description = 'The token does not allow this.'
  const challenge = toChallenge({ ...challenged, error: 'insufficient_scope', description })
  return { kind: 'insufficient-scope', needed: challenged.scopes, challenge }
}

// without an error code, because the request had no credentials (RFC 6750, 3.1)
function toUnauthorized(challenged: ChallengeDetails): Failure {
  const why = `The request has no credentials. ${toAdvice(challenged)}`
  return { kind: 'unauthorized', why, challenge: toChallenge(challenged) }
}

function toAdvice({ metadataUrl }: ChallengeDetails): string {
  return metadataUrl === null
    ? 'Send the credentials that the owner of this server gave you.'
    : `Get a token as described at ${metadataUrl}, and send it as \`Authorization: Bearer <token>\`.`
}

export interface Challenge {
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope'
  readonly description?: string
  /** All the scopes that the operation needs, in one challenge. */
  readonly scopes: readonly string[]
  readonly metadataUrl: string | null
}

/** Prints a `WWW-Authenticate` header (RFC 6750, 3; RFC 9728, 5.1). */
export function toChallenge({ error, description, scopes, metadataUrl }: Challenge): string {
  const parameters: readonly (readonly [string, string])[] = [
    ['error', error ?? ''],
    ['error_description', description ?? ''],
    ['scope', toAskableScopes(scopes).join(' ')],
    ['resource_metadata', metadataUrl ?? ''],
  ]
  const said = parameters
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}="${toQuotable(value)}"`)
  return said.length === 0 ? 'Bearer' : `Bearer ${said.join(', ')}`
}

// RFC 6750 allows neither quotes nor backslashes here, and a line break would end the header
function toQuotable(value: string): string {
  return value.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]|\\/g, '?')
}

const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/**
 * Returns the scopes that a client may request, without duplicates and invalid ones (RFC 6749,
 * 3.3). `offline_access` is between the client and its authorization server, and never listed here
 * (basic/authorization, "Refresh Tokens").
 */
export function toAskableScopes(scopes: readonly string[]): readonly string[] {
  return [...new Set(scopes)].filter(
    (scope) => scope !== 'offline_access' && scopeToken.test(scope),
  )
}

/**
 * Returns the scopes for a first sign-in: those of entries that only read, or all scopes if reading
 * needs none. The others are requested when they are needed (basic/authorization, "Scope Selection
 * Strategy", "Step-Up Authorization Flow"). The scopes of concealed entries are left out.
 */
export function toFirstScopes({
  tools,
  resources,
  prompts,
}: Pick<Registry, 'tools' | 'resources' | 'prompts'>): readonly string[] {
  const reading = toScopes([...tools.filter(({ readOnly }) => readOnly), ...resources, ...prompts])
  return reading.length > 0 ? reading : toScopes(tools)
}

function toScopes(
  entries: readonly { readonly scopes: readonly string[]; readonly conceal: boolean }[],
): readonly string[] {
  const open = entries.filter(({ conceal }) => !conceal)
  return [...new Set(open.flatMap(({ scopes }) => scopes))].toSorted()
}
