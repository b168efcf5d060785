import type { Arrival, Authenticated, Authenticator } from './authenticator.ts'
import { readBearer } from './bearer.ts'

/** Judges a token. */
type Check = (token: string, arrival: Arrival) => Promise<Authenticated>

/** Makes the half of an authenticator that finds the token, for those that have one to judge. */
export function authenticateBearer(check: Check): Authenticator['authenticate'] {
  return async (arrival) => {
    const bearer = readBearer(arrival.headers)
    if (bearer.kind === 'none') return { kind: 'anonymous' }
    return bearer.kind === 'malformed' ? bearer : check(bearer.token, arrival)
  }
}
