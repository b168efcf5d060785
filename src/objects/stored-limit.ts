import type { ExactLimit } from '../define/tool.ts'
import { isJsonObject } from '../protocol/json.ts'
import { isDuration, toMilliseconds } from '../util/duration.ts'

const bucketKey = 'bucket'
const leasesKey = 'leases'

const alarmIntervalMs = 60_000

export interface LimitObject {
  takeToken(rule: BucketRule): Promise<BucketReply>
  takeLease(id: string, rule: LeaseRule): Promise<LeaseReply>
  endLease(id: string): Promise<void>
}

/**
 * One limit inside its object: a token bucket, or the leases of running calls. Time alone refills the
 * bucket and ends the leases; the alarm only deletes what is stored of callers that stay away. The
 * first call sets it, and later ones do not move it.
 */
export class StoredLimit implements LimitObject {
  readonly #storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  async takeToken(rule: BucketRule): Promise<BucketReply> {
    const found = readBucket(this.#storage.kv.get(bucketKey))
    // no await between read and write: no two calls get the same token
    const { bucket, reply } = takeFromBucket(found, rule, Date.now())
    if (reply.allowed) this.#storage.kv.put(bucketKey, bucket)
    if (found === null) this.#setAlarmAfter(rule.perMs)
    return reply
  }

  async takeLease(id: string, rule: LeaseRule): Promise<LeaseReply> {
    const stored: unknown = this.#storage.kv.get(leasesKey)
    const { leases, reply } = addLease(readLeases(stored), id, rule, Date.now())
    if (reply.allowed) this.#storage.kv.put(leasesKey, leases)
    if (stored === undefined) this.#setAlarmAfter(rule.ms)
    return reply
  }

  async endLease(id: string): Promise<void> {
    const leases = this.#leases()
    if (!leases.some((lease) => lease.id === id)) return
    // an empty list stays for the alarm: if it were deleted, the next call would set another alarm
    const others = leases.filter((lease) => lease.id !== id)
    this.#storage.kv.put(leasesKey, others)
  }

  /** Deletes everything once the bucket is full and no lease is left. */
  async alarm(): Promise<void> {
    const bucket = readBucket(this.#storage.kv.get(bucketKey))
    const leases = this.#storage.kv.get(leasesKey) === undefined ? null : this.#leases()
    if (bucket === null && leases === null) return
    const now = Date.now()
    const isOver =
      (bucket === null || isBucketFull(bucket, now)) && dropEnded(leases ?? [], now).length === 0
    if (isOver) await this.#storage.deleteAll()
    else this.#setAlarmAfter(bucket?.perMs ?? alarmIntervalMs)
  }

  #leases(): readonly CallLease[] {
    return readLeases(this.#storage.kv.get(leasesKey))
  }

  #setAlarmAfter(ms: number): void {
    // not awaited: it commits together with what was stored
    void this.#storage.setAlarm(Date.now() + Math.max(ms, alarmIntervalMs))
  }
}

/** How many tokens a bucket holds, and in how many milliseconds an empty one fills. */
export interface BucketRule {
  readonly tokens: number
  readonly perMs: number
}

/**
 * A token bucket as it is stored. A token is `perMs` parts, of which `tokens` come back in a
 * millisecond: whole numbers, so that no rounding adds or loses a call.
 */
export interface TokenBucket extends BucketRule {
  /** Parts of tokens that are missing at the time `at`. */
  readonly missing: number
  readonly at: number
}

export type BucketReply =
  | { readonly allowed: true; readonly remaining: number }
  | { readonly allowed: false; readonly retryMs: number }

/** Half of what a number holds exactly, so that sums of parts stay exact too. */
const maxParts = Number.MAX_SAFE_INTEGER / 2

/**
 * Finds out why a limit cannot be counted exactly, as a sentence; `null` if it can. The build refuses
 * what this refuses, so that no call meets it.
 */
export function findBucketProblem(tokens: unknown, per: unknown): string | null {
  if (typeof tokens !== 'number' || !Number.isSafeInteger(tokens) || tokens < 1) {
    return `\`limit.tokens\` is ${toShown(tokens)}. It must be a whole number, 1 or more.`
  }
  if (!isDuration(per) || toMilliseconds(per) < 1) {
    const wanted = 'a duration longer than zero, such as "1m" or "1h"'
    return `\`limit.per\` is ${toShown(per)}. It must be ${wanted}.`
  }
  const perMs = toMilliseconds(per)
  if (tokens * perMs <= maxParts) return null
  return (
    `A limit of ${tokens} in ${per} is too large to be counted exactly. In ${per}, at most ` +
    `${Math.floor(maxParts / perMs)} can be. Use fewer tokens or a shorter time.`
  )
}

function toShown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

/**
 * Converts a limit to whole numbers.
 *
 * @throws {RangeError} for one that could not be counted exactly.
 */
export function toBucketRule({ tokens, per }: ExactLimit): BucketRule {
  const problem = findBucketProblem(tokens, per)
  if (problem !== null) throw new RangeError(problem)
  return { tokens, perMs: toMilliseconds(per) }
}

/** Takes a token. Where there is none, the bucket does not change and need not be stored. */
export function takeFromBucket(
  bucket: TokenBucket | null,
  rule: BucketRule,
  now: number,
): { readonly bucket: TokenBucket | null; readonly reply: BucketReply } {
  const missing = bucket === null ? 0 : toMissingUnder(refill(bucket, now), rule)
  const { tokens, perMs } = rule
  const free = tokens * perMs - missing
  if (free < perMs) {
    return { bucket, reply: { allowed: false, retryMs: Math.ceil((perMs - free) / tokens) } }
  }
  return {
    bucket: { tokens, perMs, missing: missing + perMs, at: Math.max(now, bucket?.at ?? now) },
    reply: { allowed: true, remaining: Math.floor((free - perMs) / perMs) },
  }
}

export function isBucketFull(bucket: TokenBucket, now: number): boolean {
  return refill(bucket, now).missing === 0
}

/** Reads a bucket that any version of the server stored; `null` for anything else. */
export function readBucket(value: unknown): TokenBucket | null {
  if (!isJsonObject(value)) return null
  const { tokens, perMs, missing, at } = value
  return typeof tokens === 'number' &&
    typeof perMs === 'number' &&
    typeof missing === 'number' &&
    typeof at === 'number'
    ? { tokens, perMs, missing, at }
    : null
}

function refill(bucket: TokenBucket, now: number): TokenBucket {
  // a clock that was set back must not change the bucket
  const passed = Math.max(0, now - bucket.at)
  return { ...bucket, missing: Math.max(0, bucket.missing - passed * bucket.tokens) }
}

/** Converts what is missing to a new rule: the same number of calls as under the old one. */
function toMissingUnder(bucket: TokenBucket, { tokens, perMs }: BucketRule): number {
  if (bucket.perMs === perMs) return Math.min(bucket.missing, tokens * perMs)
  return Math.min(Math.ceil((bucket.missing / bucket.perMs) * perMs), tokens * perMs)
}

/** The leases of a caller are one stored value, which may have 2 MB: each takes some 70 bytes. */
export const maxParallel = 10_000

interface CallLease {
  readonly id: string
  readonly until: number
}

export interface LeaseRule {
  readonly most: number
  readonly ms: number
}

export type LeaseReply =
  | { readonly allowed: true }
  /** Milliseconds until the first of the running calls ends at the latest. */
  | { readonly allowed: false; readonly retryMs: number }

/** Adds a lease where there is room, and drops the leases whose time is over. */
export function addLease(
  leases: readonly CallLease[],
  id: string,
  { most, ms }: LeaseRule,
  now: number,
): { readonly leases: readonly CallLease[]; readonly reply: LeaseReply } {
  const running = dropEnded(leases, now)
  if (running.length < most) {
    return { leases: [...running, { id, until: now + ms }], reply: { allowed: true } }
  }
  const first = Math.min(...running.map(({ until }) => until))
  return { leases: running, reply: { allowed: false, retryMs: first - now } }
}

/** Drops the leases whose time is over: a Worker that died could not end them. */
function dropEnded(leases: readonly CallLease[], now: number): readonly CallLease[] {
  return leases.filter(({ until }) => now < until)
}

/** Reads the leases that any version of the server stored; none where anything else is stored. */
export function readLeases(value: unknown): readonly CallLease[] {
  const stored: readonly unknown[] = Array.isArray(value) ? value : []
  return stored.filter(isLease)
}

function isLease(value: unknown): value is CallLease {
  return (
    isJsonObject(value) && typeof value['id'] === 'string' && typeof value['until'] === 'number'
  )
}
