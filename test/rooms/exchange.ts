import { env, exports } from 'cloudflare:workers'
import type { Exchange } from '../../src/protocol/exchange.ts'

/** An exchange with a client that stays and takes no stream, but for what a test changes. */
export function toExchange(changes: Partial<Exchange> = {}): Exchange {
  return {
    headers: new Headers(),
    env,
    caller: null,
    callerDigest: null,
    stepUp: (needed) => ({ kind: 'insufficient-scope', needed, challenge: 'Bearer' }),
    mask: (text) => text,
    exports,
    signal: new AbortController().signal,
    emit: () => {},
    waitUntil: () => {},
    ...changes,
  }
}
