import type { HandleKind } from '../define/handle-kind.ts'
import type { WorkerLog } from '../out/log.ts'
import { isUsableBy } from './handle-access.ts'
import { type HandleExpiry, isUseDue } from './handle-expiry.ts'
import { type HandleRecord, handleKey, readHandleRecord } from './handle-record.ts'
import { readStoredState, toFirstState, toStoredState } from './handle-state.ts'
import { HandleRefusedError, type HandleReply, toHandleRefusal } from './handles-rpc.ts'
import { toPlainData } from './plain-data.ts'

/**
 * One handle inside its object. There is no await between reading and writing, so that verbs do not
 * interleave and the writes of a verb commit or roll back together.
 */
export class StoredHandle {
  readonly #storage: DurableObjectStorage
  readonly #expiry: Pick<HandleExpiry, 'setAlarm' | 'deleteHandle'>
  readonly #log: () => WorkerLog

  constructor(
    storage: DurableObjectStorage,
    expiry: Pick<HandleExpiry, 'setAlarm' | 'deleteHandle'>,
    log: () => WorkerLog,
  ) {
    this.#storage = storage
    this.#expiry = expiry
    this.#log = log
  }

  /** The stored record, of any caller and even if it has expired. */
  record(): HandleRecord | null {
    return readHandleRecord(this.#storage.kv.get(handleKey))
  }

  create(kind: HandleKind, caller: string | null, args: readonly unknown[]): HandleReply {
    return this.#inTransaction(() => {
      if (this.record() !== null) throw new Error(`The handle "${kind.name}" already exists.`)
      this.#begin(kind, caller, toFirstState(kind, args))
    })
  }

  use(
    kind: HandleKind,
    caller: string | null,
    verb: string,
    args: readonly unknown[],
  ): HandleReply {
    return this.#inTransaction(() => {
      const record = this.#find(kind, caller)
      const state = this.#toState(kind, record)
      const run = kind.verbs.get(verb)
      if (run === undefined) {
        throw new TypeError(`The handle "${kind.name}" has no verb "${verb}".`)
      }
      const { sql } = this.#storage
      if (kind.tables !== null) sql.exec(kind.tables)
      const value = toPlainData(run(sql, state, args), `${verb} of ${kind.name} returned`)
      if (record === null) this.#begin(kind, caller, state)
      else this.#write(kind, record, state)
      return value
    })
  }

  read(kind: HandleKind, caller: string | null): HandleReply {
    return this.#inTransaction(() => {
      const record = this.#find(kind, caller)
      const state = toPlainData(this.#toState(kind, record), `read of ${kind.name} found`)
      if (record !== null) this.#touch(record)
      return state
    })
  }

  /** Ends the handle, whether or not its state can be read. */
  async end(kind: HandleKind, caller: string | null): Promise<HandleReply> {
    const reply = this.#inTransaction(() => void this.#find(kind, caller))
    if (reply.kind === 'value') await this.#expiry.deleteHandle()
    return reply
  }

  /** The record to work on; `null` for a caller's own handle that has not begun. */
  #find(kind: HandleKind, caller: string | null): HandleRecord | null {
    const record = this.record()
    if (record !== null && isUsableBy(record, kind.name, caller, Date.now())) return record
    if (kind.scope === 'caller') return null
    throw new HandleRefusedError({ kind: 'gone' })
  }

  #toState(kind: HandleKind, record: HandleRecord | null): unknown {
    return record === null ? toFirstState(kind, []) : readStoredState(kind, record.state, this.#log)
  }

  #begin(kind: HandleKind, caller: string | null, state: unknown): void {
    const now = Date.now()
    const times = { createdAt: now, usedAt: now, idleMs: kind.idleMs, endsAt: now + kind.maxMs }
    const record = { kind: kind.name, caller, ...times, state: toStoredState(kind, state) }
    this.#storage.kv.put(handleKey, record)
    this.#expiry.setAlarm()
  }

  #write(kind: HandleKind, record: HandleRecord, state: unknown): void {
    const bytes = toStoredState(kind, state)
    if (isEqual(bytes, record.state)) this.#touch(record)
    else this.#storage.kv.put(handleKey, { ...record, state: bytes, usedAt: Date.now() })
  }

  #touch(record: HandleRecord): void {
    const now = Date.now()
    if (isUseDue(record, now)) this.#storage.kv.put(handleKey, { ...record, usedAt: now })
  }

  #inTransaction(work: () => unknown): HandleReply {
    try {
      return { kind: 'value', value: this.#storage.transactionSync(work) }
    } catch (error) {
      return toHandleRefusal(error, this.#log)
    }
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
