import type { HandleKind } from '../define/handle-kind.ts'
import type { WorkerLog } from '../out/log.ts'
import { isJsonObject } from '../protocol/json.ts'
import { type HandleRecord, handleKey, readHandleRecord } from './handle-record.ts'
import { readStoredState } from './handle-state.ts'

/**
 * When the handle expires unless it is used again. A read may leave `usedAt` a tenth of the idle
 * time behind, so that much is added: no handle expires before the time that its creator was promised.
 */
export function toExpiry({ usedAt, idleMs, endsAt }: HandleRecord): number {
  return Math.min(usedAt + idleMs + toUseInterval(idleMs), endsAt)
}

export function isExpired(record: HandleRecord | null): record is HandleRecord {
  return record !== null && Date.now() >= toExpiry(record)
}

/** Whether a read has to write down that it happened. */
export function isUseDue({ usedAt, idleMs }: HandleRecord, now: number): boolean {
  return now - usedAt >= toUseInterval(idleMs)
}

/** The least time between two uses that are written down. */
function toUseInterval(idleMs: number): number {
  return idleMs / 10
}

/** How long after each failure `onExpire` runs again. Services are often down for longer than a minute. */
const retryDelaysMs = [10_000, 60_000, 600_000, 3_600_000, 21_600_000, 86_400_000]

/** How long a caller waits for `onExpire` of its expired handle before its next one begins. */
const patienceMs = 5_000

/** An expired handle whose `onExpire` has not succeeded; stored under `expired:<uuid>`. */
interface ExpiredHandleRecord {
  readonly record: HandleRecord
  /** How often `onExpire` was begun. */
  readonly runs: number
  readonly nextRunAt: number
}

const expiredPrefix = 'expired:'

/**
 * Ends handles that have expired. The record is set aside before its kind's `onExpire` runs, so that a
 * caller's next handle can begin although `onExpire` fails or never ends.
 */
export class HandleExpiry {
  readonly #storage: DurableObjectStorage
  readonly #env: Cloudflare.Env
  readonly #log: () => WorkerLog
  readonly #findKind: (name: string) => Promise<HandleKind | null>
  readonly #limitMs: number
  #running: Promise<void> | null = null
  #runningSince = 0

  constructor(
    storage: DurableObjectStorage,
    env: Cloudflare.Env,
    log: () => WorkerLog,
    findKind: (name: string) => Promise<HandleKind | null>,
    /** How long one `onExpire` may take, since later ones of the same object wait for it. */
    limitMs: number = 60_000,
  ) {
    this.#storage = storage
    this.#env = env
    this.#log = log
    this.#findKind = findKind
    this.#limitMs = limitMs
  }

  /**
   * Ends a handle that has expired before its successor begins. `onExpire` has run by then, unless it
   * takes long: the rest is left to the alarm. The time is that of all callers of a run, since each use
   * that fails leaves no successor behind.
   */
  async makeRoom(): Promise<void> {
    const record = this.#record()
    if (record === null ? this.#running === null : !isExpired(record)) return
    await this.#setAside()
    const running = this.#runOnce()
    const leftMs = Math.max(0, this.#runningSince + patienceMs - Date.now())
    await Promise.race([running, scheduler.wait(leftMs)])
  }

  /** Never throws: the platform would log the error unmasked. */
  async alarm(): Promise<void> {
    await this.#setAside()
    await this.#runOnce()
    this.setAlarm()
  }

  /**
   * Sets the alarm that ends the handle. A use does not move it: it fires, sees the use, and is set
   * again. Not awaited: it commits together with the record, and no reply leaves before both have.
   */
  setAlarm(): void {
    const record = this.#record()
    const times = [...this.#expired().values()].map(({ nextRunAt }) => nextRunAt)
    if (record !== null) times.push(toExpiry(record))
    if (times.length > 0) void this.#storage.setAlarm(Math.min(...times))
  }

  /** Deletes the handle with its tables, and keeps the expired ones whose `onExpire` is to run. */
  async deleteHandle(): Promise<void> {
    const expired = this.#expired()
    // no await in between, so that deleting and writing commit together
    const deleted = this.#storage.deleteAll()
    for (const [key, entry] of expired) this.#storage.kv.put(key, entry)
    this.setAlarm()
    await deleted
  }

  async #setAside(): Promise<void> {
    const record = this.#record()
    if (!isExpired(record)) return
    const entry: ExpiredHandleRecord = { record, runs: 0, nextRunAt: Date.now() }
    this.#storage.kv.put(`${expiredPrefix}${crypto.randomUUID()}`, entry)
    await this.deleteHandle()
  }

  /** At most one run at a time: a caller may come while the alarm is at work. */
  #runOnce(): Promise<void> {
    if (this.#running !== null) return this.#running
    this.#runningSince = Date.now()
    this.#running = this.#runDue().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #runDue(): Promise<void> {
    const due = [...this.#expired()].find(([, { nextRunAt }]) => nextRunAt <= Date.now())
    if (due === undefined) return
    const [key, { record, runs }] = due
    const delayMs = retryDelaysMs[runs]
    // written before the run: if the object stops in the middle, `onExpire` runs again
    const nextRunAt = Date.now() + (delayMs ?? 0)
    this.#storage.kv.put(key, { record, runs: runs + 1, nextRunAt })
    const isDone = (await this.#runOnExpire(record)) || delayMs === undefined
    if (isDone) this.#storage.kv.delete(key)
    // an object that stores nothing more must not keep its tables
    if (this.#record() === null && this.#expired().size === 0) await this.#storage.deleteAll()
    return this.#runDue()
  }

  /** Returns whether it succeeded; an error is in the log. */
  async #runOnExpire({ kind: name, state }: HandleRecord): Promise<boolean> {
    try {
      const kind = await this.#findKind(name)
      if (kind?.definition.onExpire === undefined) return true
      const expired = { state: readStoredState(kind, state, this.#log), env: this.#env }
      await endWithin(this.#limitMs, kind.definition.onExpire(expired))
      return true
    } catch (error) {
      this.#log().error(`onExpire of "${name}"`, error)
      return false
    }
  }

  #record(): HandleRecord | null {
    return readHandleRecord(this.#storage.kv.get(handleKey))
  }

  #expired(): ReadonlyMap<string, ExpiredHandleRecord> {
    const entries = [...this.#storage.kv.list({ prefix: expiredPrefix })].flatMap(
      ([key, value]) => {
        const entry = readExpired(value)
        return entry === null ? [] : ([[key, entry]] as const)
      },
    )
    return new Map(entries)
  }
}

/** @throws {Error} when the time is over, whatever the work does then. */
async function endWithin(limitMs: number, work: void | Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const why = `It did not finish within ${limitMs / 1_000} seconds.`
  const timer = setTimeout(() => reject(new Error(why)), limitMs)
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

function readExpired(value: unknown): ExpiredHandleRecord | null {
  if (!isJsonObject(value)) return null
  const { runs, nextRunAt } = value
  const record = readHandleRecord(value['record'])
  return record !== null && typeof runs === 'number' && typeof nextRunAt === 'number'
    ? { record, runs, nextRunAt }
    : null
}
