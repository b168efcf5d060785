import type { AuthResult } from '../../define/authenticator.ts'
import type { Caller } from '../../protocol/caller.ts'
import type { Failure } from '../../protocol/failure.ts'
import { type Challenge, toChallenge } from './challenge.ts'

/** What a challenge asks for. */
export type Challenged = Pick<Challenge, 'scopes' | 'metadataUrl'>

/** What is told to a request that is not let in (basic/authorization, "Error Handling"). */
export function toAuthFailure(
  authenticated: Exclude<AuthResult, { kind: 'caller' }>,
  challenged: Challenged,
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
 * What is told to a caller who lacks scopes that an operation needs. An anonymous
 * caller has to sign in first, and is challenged for the same scopes then.
 */
export function toStepUp(caller: Caller | null, challenged: Challenged): Failure {
  if (caller === null) return toUnauthorized(challenged)
  const description = 'The token does not allow this.'
  const challenge = toChallenge({ ...challenged, error: 'insufficient_scope', description })
  return { kind: 'insufficient-scope', needed: challenged.scopes, challenge }
}

// without an error code: there is nothing yet that could be wrong (RFC 6750, 3.1)
function toUnauthorized(challenged: Challenged): Failure {
  const why = `The request does not say who it is from. ${toAdvice(challenged)}`
  return { kind: 'unauthorized', why, challenge: toChallenge(challenged) }
}

function toAdvice({ metadataUrl }: Challenged): string {
  return metadataUrl === null
    ? 'Bring the credentials that the owner of this server gave you.'
    : `Get a token as ${metadataUrl} says, and send it as \`Authorization: Bearer <token>\`.`
}
