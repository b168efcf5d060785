import type { Caller } from '../../protocol/caller.ts'
import { BoundedMap } from '../../util/bounded-map.ts'

const maxCallers = 1_000
/** Milliseconds for which a caller is reused, and so for which a revoked token still works. */
const maxAgeMs = 30_000

interface CachedCaller {
  readonly caller: Caller
  /** Milliseconds since 1970. */
  readonly until: number
}

/**
 * Remembers the callers that a remote service has confirmed, by the digest of their token. Refused
 * tokens are not kept: with made-up ones an attacker could evict the good ones.
 */
export class CallerCache {
  readonly #callers = new BoundedMap<string, CachedCaller>(maxCallers)

  get(digest: string): Caller | null {
    const cached = this.#callers.get(digest)
    return cached !== undefined && cached.until > Date.now() ? cached.caller : null
  }

  set(digest: string, caller: Caller): void {
    const until = Math.min(Date.now() + maxAgeMs, caller.expires ?? Infinity)
    this.#callers.set(digest, { caller, until })
  }
}
