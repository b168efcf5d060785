import {
  isFull,
  readBucket,
  takeToken,
  type BucketAnswer,
  type BucketRule,
} from './limit-bucket.ts'
import {
  dropEnded,
  readLeases,
  takeLease,
  type Lease,
  type LeaseAnswer,
  type LeaseRule,
} from './limit-leases.ts'

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
