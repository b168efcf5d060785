import type { HandleKind } from '../define/handle-kind.ts'
import { isJsonObject } from '../protocol/json.ts'
import { toDetail } from '../out/log.ts'
import { readState, toData, toFirstState, toStoredState } from './handle-state.ts'
import { type Answer, Refused, toRefusal } from './handles-rpc.ts'

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

/** What the object of a handle stores under the key `handle`; see docs/storage.md. */
interface HandleRecord {
  readonly kind: string
  /** The digest of the caller that created it; `null` makes the id a bearer's. */
  readonly caller: string | null
  /** Milliseconds since 1970, as are the other times. */
  readonly createdAt: number
  /** When it was last used, at most a tenth of the idle time ago. */
  readonly usedAt: number
  /** The lifetime that its creator was told: a later version of the kind does not change it. */
  readonly idleMs: number
  readonly endsAt: number
  /** The state as JSON in UTF-8. As text it would be stored in two bytes a character. */
  readonly state: Uint8Array
}

/** Reads a record that some version of the server stored; `null` where it is none. */
function readHandleRecord(value: unknown): HandleRecord | null {
  if (!isJsonObject(value)) return null
  const { kind, caller, createdAt, usedAt, idleMs, endsAt, state } = value
  return typeof kind === 'string' &&
    (typeof caller === 'string' || caller === null) &&
    typeof createdAt === 'number' &&
    typeof usedAt === 'number' &&
    typeof idleMs === 'number' &&
    typeof endsAt === 'number' &&
    state instanceof Uint8Array
    ? { kind, caller, createdAt, usedAt, idleMs, endsAt, state }
    : null
}

/**
 * When the handle expires unless it is used again. A read may leave `usedAt` a tenth of the idle
 * time behind, so that much is added: nobody loses a handle before the time that they were told.
 */
export function toExpiry({ usedAt, idleMs, endsAt }: HandleRecord): number {
  return Math.min(usedAt + idleMs + toGrain(idleMs), endsAt)
}

/** Tells whether a read must write down that it happened. */
function isUseDue({ usedAt, idleMs }: HandleRecord, now: number): boolean {
  return now - usedAt >= toGrain(idleMs)
}

/** Tells whether a caller may use the handle now. This is the one place that compares owners. */
function isOpenTo(record: HandleRecord, kind: string, caller: string | null, now: number): boolean {
  const isOwner = record.caller === null || record.caller === caller
  return isOwner && record.kind === kind && now < toExpiry(record)
}

function toGrain(idleMs: number): number {
  return idleMs / 10
}

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
