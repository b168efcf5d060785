import { BoundedMap } from '../kit/bounded-map.ts'
import type { Caller } from '../wire/caller.ts'

interface Known {
  readonly caller: Caller
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Callers that an isolate remembers. */
const maxCallers = 1_000
/** Milliseconds for which a caller is not asked for again, and so a revoked token still works. */
const maxAgeMs = 30_000

/**
 * The callers that were told by a service lately, by the digest of their token. Only those who were
 * let in are kept: made-up tokens push nobody out.
 */
export class KnownCallers {
  readonly #callers = new BoundedMap<string, Known>(maxCallers)

  get(digest: string): Caller | null {
    const known = this.#callers.get(digest)
    return known !== undefined && known.until > Date.now() ? known.caller : null
  }

  set(digest: string, caller: Caller): void {
    const until = Math.min(Date.now() + maxAgeMs, caller.expires ?? Infinity)
    this.#callers.set(digest, { caller, until })
  }
}
