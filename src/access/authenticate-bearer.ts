import type { Arrival, Authenticated, Authenticator } from './authenticator.ts'
import { readBearer } from './bearer.ts'

/** Judges a token; what it throws means that nobody can tell at the moment. */
type Check = (token: string, arrival: Arrival) => Promise<Authenticated>

/** Makes the half of an authenticator that finds the token, for those that have one to judge. */
export function authenticateBearer(check: Check): Authenticator['authenticate'] {
  return async (arrival) => {
    const bearer = readBearer(arrival.headers)
    if (bearer.kind === 'none') return { kind: 'anonymous' }
    if (bearer.kind === 'malformed') return bearer
    try {
      return await check(bearer.token, arrival)
    } catch (error) {
      return { kind: 'unavailable', error }
    }
  }
}
