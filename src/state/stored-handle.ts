import type { HandleKind } from '../define/handle-kind.ts'
import { Refused, toRefusal, type Answer } from './handle-answer.ts'
import { toData } from './handle-data.ts'
import {
  isOpenTo,
  isUseDue,
  readHandleRecord,
  toExpiry,
  type HandleRecord,
} from './handle-record.ts'
import { readState, toFirstState, toStoredState } from './handle-state.ts'

const key = 'handle'

/**
 * One handle inside its object. Everything between reading and writing happens in one turn, so that
 * no two verbs interleave and all that a verb wrote is kept or undone together.
 */
export class StoredHandle {
  readonly #storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  /** What is stored, whoever it belongs to and whether or not it has expired. */
  record(): HandleRecord | null {
    return readHandleRecord(this.#storage.kv.get(key))
  }

  create(kind: HandleKind, caller: string | null, args: readonly unknown[]): Answer {
    return this.#attempt(() => {
      if (this.record() !== null) throw new Error(`This ${kind.name} has been created already.`)
      this.#begin(kind, caller, toFirstState(kind, args))
    })
  }

  use(kind: HandleKind, caller: string | null, verb: string, args: readonly unknown[]): Answer {
    return this.#attempt(() => {
      const record = this.#find(kind, caller)
      const state = toState(kind, record)
      const run = kind.verbs.get(verb)
      if (run === undefined) throw new TypeError(`${kind.name} has no verb "${verb}".`)
      const { sql } = this.#storage
      if (kind.tables !== null) sql.exec(kind.tables)
      const value = toData(run(sql, state, args), `${verb} of ${kind.name} returned`)
      if (record === null) this.#begin(kind, caller, state)
      else this.#write(kind, record, state)
      return value
    })
  }

  read(kind: HandleKind, caller: string | null): Answer {
    return this.#attempt(() => {
      const record = this.#find(kind, caller)
      const state = toData(toState(kind, record), `read of ${kind.name} found`)
      if (record !== null) this.#touch(record)
      return state
    })
  }

  /** Ends the handle, readable or not. */
  async end(kind: HandleKind, caller: string | null): Promise<Answer> {
    const answer = this.#attempt(() => void this.#find(kind, caller))
    if (answer.kind === 'value') await this.#storage.deleteAll()
    return answer
  }

  /** The record to work on; `null` for a caller's own that has not begun. */
  #find(kind: HandleKind, caller: string | null): HandleRecord | null {
    const record = this.record()
    if (record !== null && isOpenTo(record, kind.name, caller, Date.now())) return record
    if (kind.scope === 'caller') return null
    throw new Refused({ kind: 'gone' })
  }

  #begin(kind: HandleKind, caller: string | null, state: unknown): void {
    const now = Date.now()
    const times = { createdAt: now, usedAt: now, idleMs: kind.idleMs, endsAt: now + kind.maxMs }
    const record = { kind: kind.name, caller, ...times, state: toStoredState(kind, state) }
    this.#storage.kv.put(key, record)
    // not awaited: it commits together with the record, and no answer leaves before both have
    void this.#storage.setAlarm(toExpiry(record))
  }

  #write(kind: HandleKind, record: HandleRecord, state: unknown): void {
    const bytes = toStoredState(kind, state)
    if (isEqual(bytes, record.state)) this.#touch(record)
    else this.#storage.kv.put(key, { ...record, state: bytes, usedAt: Date.now() })
  }

  #touch(record: HandleRecord): void {
    const now = Date.now()
    if (isUseDue(record, now)) this.#storage.kv.put(key, { ...record, usedAt: now })
  }

  #attempt(work: () => unknown): Answer {
    try {
      return { kind: 'value', value: this.#storage.transactionSync(work) }
    } catch (error) {
      return toRefusal(error)
    }
  }
}

function toState(kind: HandleKind, record: HandleRecord | null): unknown {
  return record === null ? toFirstState(kind, []) : readState(kind, record.state)
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
