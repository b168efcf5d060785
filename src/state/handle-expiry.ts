import type { HandleKind } from '../define/handle-kind.ts'
import { toDetail } from '../kit/incident.ts'
import { toExpiry, type HandleRecord } from './handle-record.ts'
import { readState } from './handle-state.ts'

/** How often Cloudflare calls an alarm again that throws, before it gives up for good. */
const maxRetries = 6

/** The end of a handle that was left to expire: `onExpire`, then everything is deleted. */
export class HandleExpiry {
  readonly #storage: DurableObjectStorage
  readonly #env: Cloudflare.Env
  #running: Promise<void> | null = null

  constructor(storage: DurableObjectStorage, env: Cloudflare.Env) {
    this.#storage = storage
    this.#env = env
  }

  /**
   * Clears an expired handle away; one at a time, as `onExpire` may take a while and a caller may
   * come meanwhile. On the last retry nothing that `onExpire` throws keeps the state alive.
   *
   * @throws whatever `onExpire` throws, so that the alarm is tried again.
   */
  async run(kind: HandleKind | null, record: HandleRecord, retryCount: number): Promise<void> {
    this.#running ??= this.#clear(kind, record, retryCount).finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #clear(kind: HandleKind | null, record: HandleRecord, retryCount: number): Promise<void> {
    try {
      if (kind?.definition.onExpire !== undefined) {
        await kind.definition.onExpire({ state: readState(kind, record.state), env: this.#env })
      }
    } catch (error) {
      if (retryCount < maxRetries) throw error
      const detail = toDetail(error)
      console.error(JSON.stringify({ level: 'error', what: `onExpire of ${record.kind}`, detail }))
    }
    await this.#storage.deleteAll()
  }
}

/** Tells whether a handle is past its end. */
export function isExpired(record: HandleRecord | null): record is HandleRecord {
  return record !== null && Date.now() >= toExpiry(record)
}
