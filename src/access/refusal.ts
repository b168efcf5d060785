import type { Caller } from '../wire/caller.ts'
import type { Failure } from '../wire/failure.ts'
import type { Authenticated } from './authenticator.ts'
import { toChallenge, type Challenge } from './challenge.ts'

/** What a challenge asks for. */
export type Asked = Pick<Challenge, 'scopes' | 'metadataUrl'>

/** What is told to a request that is not let in (basic/authorization, "Error Handling"). */
export function toRefusal(
  authenticated: Exclude<Authenticated, { kind: 'caller' }>,
  asked: Asked,
): Failure {
  switch (authenticated.kind) {
    case 'anonymous':
      return toUnauthorized(asked)
    case 'malformed': {
      const why = 'The Authorization header is not `Bearer` and one token.'
      const challenge = toChallenge({ ...asked, error: 'invalid_request', description: why })
      return { kind: 'malformed-credentials', why, challenge }
    }
    case 'refused': {
      const { why } = authenticated
      const challenge = toChallenge({ ...asked, error: 'invalid_token', description: why })
      return { kind: 'unauthorized', why: `${why} ${toAdvice(asked)}`, challenge }
    }
  }
}

/**
 * What is told to a caller who lacks scopes that an operation needs. Nobody in particular has to
 * sign in first, and is asked for the same scopes then.
 */
export function toStepUp(caller: Caller | null, asked: Asked): Failure {
  if (caller === null) return toUnauthorized(asked)
  const description = 'The token does not allow this.'
  const challenge = toChallenge({ ...asked, error: 'insufficient_scope', description })
  return { kind: 'insufficient-scope', needed: asked.scopes, challenge }
}

// without an error code: there is nothing yet that could be wrong (RFC 6750, 3.1)
function toUnauthorized(asked: Asked): Failure {
  const why = `The request does not say who it is from. ${toAdvice(asked)}`
  return { kind: 'unauthorized', why, challenge: toChallenge(asked) }
}

function toAdvice({ metadataUrl }: Asked): string {
  return metadataUrl === null
    ? 'Bring the credentials that the owner of this server gave you.'
    : `Get a token as ${metadataUrl} says, and send it as \`Authorization: Bearer <token>\`.`
}
