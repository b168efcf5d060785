import type { Caller } from '../../protocol/caller.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import { toDigest } from '../../util/digest.ts'

/** Callers whose digest an isolate remembers: it would cost more than the rest of letting them in. */
const maxDigests = 1_000

const digests = new BoundedMap<string, string>(maxDigests)

/**
 * The digest of a caller, under which things are kept for it and which logs may name. It is of the
 * issuer and the subject: the same person comes with many tokens, and by many clients.
 */
export async function toCallerDigest({ issuer, subject }: Caller): Promise<string> {
  const vouched = [issuer ?? null, subject]
  const name = JSON.stringify(vouched)
  const digest = digests.get(name) ?? (await toDigest(vouched))
  digests.set(name, digest)
  return digest
}
