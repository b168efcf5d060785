import type { ExactLimit } from '../define/tool.ts'
import { isJsonObject } from '../protocol/json.ts'
import { toMilliseconds } from '../util/duration.ts'

const bucketKey = 'bucket'
const leasesKey = 'leases'

/** The least time between two alarms of one limit, however short it is. */
const sweepMs = 60_000

/** What can be asked of an object that counts a limit. */
export interface LimitObject {
  takeToken(rule: BucketRule): Promise<BucketAnswer>
  takeLease(id: string, rule: LeaseRule): Promise<LeaseAnswer>
  endLease(id: string): Promise<void>
}

/**
 * One limit inside its object: a bucket of tokens, or the leases of running calls. Time alone refills
 * the one and ends the others; the alarm is only the broom, so that nobody who called once is kept
 * for ever. It is set with the first call and moved by none.
 */
export class StoredLimit implements LimitObject {
  readonly #storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  async takeToken(rule: BucketRule): Promise<BucketAnswer> {
    const found = readBucket(this.#storage.kv.get(bucketKey))
    // one turn from here to the write: no two calls get the same token
    const { bucket, answer } = takeToken(found, rule, Date.now())
    if (answer.allowed) this.#storage.kv.put(bucketKey, bucket)
    if (found === null) this.#sweepAfter(rule.perMs)
    return answer
  }

  async takeLease(id: string, rule: LeaseRule): Promise<LeaseAnswer> {
    const stored: unknown = this.#storage.kv.get(leasesKey)
    const { leases, answer } = takeLease(readLeases(stored), id, rule, Date.now())
    if (answer.allowed) this.#storage.kv.put(leasesKey, leases)
    if (stored === undefined) this.#sweepAfter(rule.ms)
    return answer
  }

  async endLease(id: string): Promise<void> {
    const leases = this.#leases()
    if (!leases.some((lease) => lease.id === id)) return
    // an empty list stays for the alarm that is set: to delete it would be to set another one
    const others = leases.filter((lease) => lease.id !== id)
    this.#storage.kv.put(leasesKey, others)
  }

  /** Deletes everything once it says no more than nothing does. */
  async alarm(): Promise<void> {
    const bucket = readBucket(this.#storage.kv.get(bucketKey))
    const leases = this.#storage.kv.get(leasesKey) === undefined ? null : this.#leases()
    if (bucket === null && leases === null) return
    const now = Date.now()
    const isOver =
      (bucket === null || isFull(bucket, now)) && dropEnded(leases ?? [], now).length === 0
    if (isOver) await this.#storage.deleteAll()
    else this.#sweepAfter(bucket?.perMs ?? sweepMs)
  }

  #leases(): readonly Lease[] {
    return readLeases(this.#storage.kv.get(leasesKey))
  }

  #sweepAfter(ms: number): void {
    // not awaited: it commits together with what it is the broom of
    void this.#storage.setAlarm(Date.now() + Math.max(ms, sweepMs))
  }
}

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

/** One call that is running, until it says that it has ended, or until its time is over. */
interface Lease {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** How many calls may run at once, and how long one may take at most. */
export interface LeaseRule {
  readonly most: number
  readonly ms: number
}

export type LeaseAnswer =
  | { readonly allowed: true }
  /** When the first of the running calls ends at the latest. */
  | { readonly allowed: false; readonly retryMs: number }

/** Adds a lease, if there is room. Those whose time is over are gone either way. */
export function takeLease(
  leases: readonly Lease[],
  id: string,
  { most, ms }: LeaseRule,
  now: number,
): { readonly leases: readonly Lease[]; readonly answer: LeaseAnswer } {
  const running = dropEnded(leases, now)
  if (running.length < most) {
    return { leases: [...running, { id, until: now + ms }], answer: { allowed: true } }
  }
  const first = Math.min(...running.map(({ until }) => until))
  return { leases: running, answer: { allowed: false, retryMs: first - now } }
}

/** The leases whose time is not over: a Worker that died could not end its own. */
function dropEnded(leases: readonly Lease[], now: number): readonly Lease[] {
  return leases.filter(({ until }) => now < until)
}

/** Reads the leases that some version of the server stored; none where it stored something else. */
export function readLeases(value: unknown): readonly Lease[] {
  const stored: readonly unknown[] = Array.isArray(value) ? value : []
  return stored.filter(isLease)
}

function isLease(value: unknown): value is Lease {
  return (
    isJsonObject(value) && typeof value['id'] === 'string' && typeof value['until'] === 'number'
  )
}
