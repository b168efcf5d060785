import type { HandleKind } from '../define/handle-kind.ts'
import type { WorkerLog } from '../out/log.ts'
import type { HandleRecord } from './handle-record.ts'
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

/** Sets the alarm that ends a handle. A use does not move it: it fires, sees the use, and is set again. */
export function setExpiryAlarm(storage: DurableObjectStorage, record: HandleRecord): Promise<void> {
  return storage.setAlarm(toExpiry(record))
}

/** How often Cloudflare retries an alarm that throws. */
const maxRetries = 6

/** Deletes a handle that has expired, after its kind's `onExpire`. */
export class HandleExpiry {
  readonly #storage: DurableObjectStorage
  readonly #env: Cloudflare.Env
  readonly #log: () => WorkerLog
  #running: Promise<void> | null = null

  constructor(storage: DurableObjectStorage, env: Cloudflare.Env, log: () => WorkerLog) {
    this.#storage = storage
    this.#env = env
    this.#log = log
  }

  /**
   * Deletes an expired handle; once at a time, as a caller may come while `onExpire` runs. On the last
   * retry the state is deleted although `onExpire` fails.
   *
   * @throws {Error} where `onExpire` failed, so that the alarm is retried.
   */
  async run(kind: HandleKind | null, record: HandleRecord, retryCount: number): Promise<void> {
    this.#running ??= this.#expire(kind, record, retryCount).finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #expire(kind: HandleKind | null, record: HandleRecord, retryCount: number): Promise<void> {
    const errorId = kind === null ? null : await this.#runOnExpire(kind, record)
    // the runtime logs what an alarm throws and masks nothing: the error itself is in the Worker's log
    if (errorId !== null && retryCount < maxRetries) {
      throw new Error(
        `\`onExpire\` of the handle "${record.kind}" failed and will be retried. Error id: ${errorId}.`,
      )
    }
    await this.#storage.deleteAll()
  }

  /** Returns the id of the error in the log; `null` where `onExpire` succeeded or is not defined. */
  async #runOnExpire(kind: HandleKind, { state }: HandleRecord): Promise<string | null> {
    const { definition, name } = kind
    if (definition.onExpire === undefined) return null
    try {
      await definition.onExpire({ state: readStoredState(kind, state, this.#log), env: this.#env })
      return null
    } catch (error) {
      return this.#log().error(`onExpire of "${name}"`, error)
    }
  }
}
