import type { HandlesNamespace, HandlesObject } from '../objects/handles-rpc.ts'
import type { FoundRun, RunClaimStatus, RunClaimTimes } from '../objects/stored-claim.ts'
import { readBase64Url, toBase64Url } from '../util/bytes.ts'

/** Claims let a piece of work run once, however often and from wherever it is requested. */
export interface RunClaims {
  /** Returns an unguessable nonce, without a network call. */
  readonly createNonce: () => string
  /** Does not wait: `running` where another request has claimed the run. */
  readonly claim: (nonce: string, times: RunClaimTimes) => Promise<RunClaimStatus>
  /** Waits for the result of a run that was claimed; `null` where there is no claim yet. */
  readonly look: (nonce: string) => Promise<FoundRun | null>
  /** Stores the result for later requests, and returns it to those that wait. */
  readonly finish: (nonce: string, result: string) => Promise<void>
}

/**
 * Creates the Worker's side of claims. A nonce is the id of a Durable Object that does not exist yet:
 * such an id is found without the global look-up that a name costs.
 *
 * @throws {TypeError} from `claim`, `look` and `finish` for a nonce that `createNonce` did not create.
 */
export function createRunClaims(namespace: () => HandlesNamespace): RunClaims {
  const open = (nonce: string): HandlesObject => {
    const objects = namespace()
    return objects.get(objects.idFromString(readBase64Url(nonce)?.toHex() ?? ''))
  }
  return {
    createNonce: () => toBase64Url(Uint8Array.fromHex(namespace().newUniqueId().toString())),
    claim: (nonce, times) => open(nonce).claim(times),
    look: (nonce) => open(nonce).look(),
    finish: (nonce, result) => open(nonce).finish(result),
  }
}
