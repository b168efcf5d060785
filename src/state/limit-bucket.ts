import type { ExactLimit } from '../define/exact-limit.ts'
import { toMilliseconds } from '../kit/duration.ts'
import { isJsonObject } from '../wire/json.ts'

/** What a bucket holds, and in how many milliseconds an empty one fills. */
export interface BucketRule {
  readonly tokens: number
  readonly perMs: number
}

/**
 * What is missing from a bucket, as it is stored. A token is `perMs` parts, of which `tokens` come
 * back in a millisecond: whole numbers, so that no sum of fractions gives or takes a call.
 */
export interface Bucket extends BucketRule {
  readonly missing: number
  /** When that was, in milliseconds since 1970. */
  readonly at: number
}

export type BucketAnswer =
  | { readonly allowed: true; readonly remaining: number }
  | { readonly allowed: false; readonly retryMs: number }

/**
 * Converts a limit to whole numbers.
 *
 * @throws {RangeError} for one that could not be counted exactly.
 */
export function toBucketRule({ tokens, per }: ExactLimit): BucketRule {
  const perMs = toMilliseconds(per)
  if (!Number.isSafeInteger(tokens) || tokens < 1 || perMs < 1) {
    throw new RangeError(
      `A limit of ${tokens} in ${per} lets nothing through. Give 1 token or more, and a time.`,
    )
  }
  // half of what a number can hold, so that sums stay exact too
  if (tokens * perMs <= Number.MAX_SAFE_INTEGER / 2) return { tokens, perMs }
  throw new RangeError(`A limit of ${tokens} in ${per} is too large to be counted exactly.`)
}

/** Takes a token, if there is one. Without one nothing changes, and nothing has to be stored. */
export function takeToken(
  bucket: Bucket | null,
  rule: BucketRule,
  now: number,
): { readonly bucket: Bucket | null; readonly answer: BucketAnswer } {
  const missing = bucket === null ? 0 : toRule(refill(bucket, now), rule)
  const { tokens, perMs } = rule
  const free = tokens * perMs - missing
  if (free < perMs) {
    return { bucket, answer: { allowed: false, retryMs: Math.ceil((perMs - free) / tokens) } }
  }
  return {
    bucket: { tokens, perMs, missing: missing + perMs, at: Math.max(now, bucket?.at ?? now) },
    answer: { allowed: true, remaining: Math.floor((free - perMs) / perMs) },
  }
}

/** Tells a bucket that has filled again from one that still means something. */
export function isFull(bucket: Bucket, now: number): boolean {
  return refill(bucket, now).missing === 0
}

/** Reads a bucket that some version of the server stored; `null` where it is none. */
export function readBucket(value: unknown): Bucket | null {
  if (!isJsonObject(value)) return null
  const { tokens, perMs, missing, at } = value
  return typeof tokens === 'number' &&
    typeof perMs === 'number' &&
    typeof missing === 'number' &&
    typeof at === 'number'
    ? { tokens, perMs, missing, at }
    : null
}

function refill(bucket: Bucket, now: number): Bucket {
  // a clock that was set back gives nothing and takes nothing
  const passed = Math.max(0, now - bucket.at)
  return { ...bucket, missing: Math.max(0, bucket.missing - passed * bucket.tokens) }
}

/** What is missing under another rule than the bucket was filled by: as many calls as before. */
function toRule(bucket: Bucket, { tokens, perMs }: BucketRule): number {
  if (bucket.perMs === perMs) return Math.min(bucket.missing, tokens * perMs)
  return Math.min(Math.ceil((bucket.missing / bucket.perMs) * perMs), tokens * perMs)
}
