import type { Arrival, Authenticator } from '../define/authenticator.ts'
import type { Caller } from '../protocol/caller.ts'
import { type JsonObject, isJsonObject } from '../protocol/json.ts'

/** Who somebody is, as far as your own code knows. */
export type Identity = Pick<Caller, 'subject'> & Partial<Caller>

/** Tells who calls, or `null` where the request does not prove it. */
type Identify = (arrival: Arrival) => Identity | null | Promise<Identity | null>

/**
 * Your own code tells who calls: by a client certificate, a signed header, a session. It must check
 * what it believes. What it throws is logged, and the caller is told to come again later.
 */
export function custom(identify: Identify): Authenticator {
  return {
    allowsAnonymous: false,
    authorizationServers: () => [],
    async authenticate(arrival) {
      const identity = await identify(arrival)
      if (identity !== null) {
        const claims = toPlain(identity.claims)
        return { kind: 'caller', caller: { scopes: [], ...identity, claims } }
      }
      // who brought something is not nobody
      return arrival.headers.has('Authorization')
        ? { kind: 'refused', why: 'These credentials are not accepted here.' }
        : { kind: 'anonymous' }
    },
  }
}

/** Claims as a token would carry them: what is kept for a caller has to tell them from any others. */
function toPlain(claims: JsonObject = {}): JsonObject {
  const plain: unknown = JSON.parse(JSON.stringify(claims))
  return isJsonObject(plain) ? plain : {}
}
