import type { HandlesNamespace } from '../objects/handles-rpc.ts'
import { readBase64Url, toBase64Url } from '../util/bytes.ts'

/** What a claim finds. */
export type Claim =
  /** Nobody was before you: run, then `finish`. */
  | { readonly kind: 'yours' }
  /** It has been run; this is what `finish` was given. */
  | { readonly kind: 'done'; readonly result: string }
  /** It is being run, and has been for as long as a claim waits. */
  | { readonly kind: 'running' }
  /** It began and nobody can tell how it went: it must not be run again. */
  | { readonly kind: 'unknown' }

/** How long things may take, for {@link Claims.claim}. */
export interface ClaimTimes {
  /** Milliseconds that a run may take. After them, an unfinished one counts as cut off. */
  readonly runMs: number
  /** When the sealed state that carries the nonce expires, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** Lets a piece of work be run once, however often and wherever it is asked for. */
export interface Claims {
  /** A nonce that nobody can guess, made without asking anyone. */
  readonly createNonce: () => string
  readonly claim: (nonce: string, times: ClaimTimes) => Promise<Claim>
  /** What a claim would find, without making one; `null` where nobody has made one yet. */
  readonly look: (nonce: string) => Promise<Claim | null>
  /** Keeps the result for those who come later, and gives it to those who wait. */
  readonly finish: (nonce: string, result: string) => Promise<void>
}

/**
 * The claims of this Worker. A nonce is the id of a Durable Object that does not exist yet: such an
 * id is found without the look-up around the world that a name costs.
 *
 * @throws {TypeError} from `claim` and `finish` for a nonce that `createNonce` did not make.
 */
export function createClaims(namespace: () => HandlesNamespace): Claims {
  const open = (nonce: string): ReturnType<HandlesNamespace['get']> => {
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
