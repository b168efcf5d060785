import { isJsonObject } from '../protocol/json.ts'

export interface IndexedHandle {
  readonly objectId: string
  readonly createdAt: number
}

interface IndexEntry extends IndexedHandle {
  readonly key: string
  /** The handle lives at least until then unless it is ended; after that its object must be asked. */
  readonly aliveUntil: number
}

const alarmIntervalMs = 60_000

/** Asks a handle's object when it expires; `null` where it has expired or was ended. */
type PeekExpiry = (objectId: string) => Promise<number | null>

/**
 * The live handles of one caller, in an object of their own. A use does not reach the index, so an
 * entry is certain for one idle time only; then the handle itself is asked. In the same way an entry
 * is removed whose end never reached the index.
 */
export class HandleIndex {
  readonly #storage: DurableObjectStorage
  readonly #peek: PeekExpiry

  constructor(storage: DurableObjectStorage, peek: PeekExpiry) {
    this.#storage = storage
    this.#peek = peek
  }

  /** Adds a handle that is about to be created; `false` where the caller has `limit` of its kind. */
  async add(kind: string, objectId: string, aliveUntil: number, limit: number): Promise<boolean> {
    if (this.#entries(kind).length >= limit) await this.#refresh(this.#entries(kind))
    const alarm = await this.#storage.getAlarm()
    // no await between count and write: two calls must not both take the last place
    if (this.#entries(kind).length >= limit) return false
    this.#storage.kv.put(toKey(kind, objectId), { createdAt: Date.now(), aliveUntil })
    if (alarm === null) await this.#storage.setAlarm(aliveUntil)
    return true
  }

  remove(kind: string, objectId: string): void {
    const key = toKey(kind, objectId)
    // a delete is billed as a written row even where there is nothing
    if (this.#storage.kv.get(key) !== undefined) this.#storage.kv.delete(key)
  }

  async list(kind: string): Promise<readonly IndexedHandle[]> {
    await this.#refresh(this.#entries(kind))
    return this.#entries(kind)
      .map(({ objectId, createdAt }) => ({ objectId, createdAt }))
      .toSorted((a, b) => a.createdAt - b.createdAt)
  }

  /** Removes the entries of dead handles, and all storage with the last entry. */
  async alarm(): Promise<void> {
    if (this.#entries().length === 0) return
    await this.#refresh(this.#entries())
    const times = this.#entries().map(({ aliveUntil }) => aliveUntil)
    if (times.length === 0) await this.#storage.deleteAll()
    // never in the past: the alarm would fire again at once, and so on
    else await this.#storage.setAlarm(Math.max(Date.now() + alarmIntervalMs, ...times))
  }

  async #refresh(entries: readonly IndexEntry[]): Promise<void> {
    const now = Date.now()
    const uncertain = entries.filter(({ aliveUntil }) => aliveUntil <= now)
    await Promise.all(
      uncertain.map(async ({ key, objectId, createdAt, aliveUntil: known }) => {
        // a handle that cannot be asked now keeps its entry
        const aliveUntil = await this.#peek(objectId).catch(() => known)
        if (this.#storage.kv.get(key) === undefined || aliveUntil === known) return
        if (aliveUntil === null) this.#storage.kv.delete(key)
        else this.#storage.kv.put(key, { createdAt, aliveUntil })
      }),
    )
  }

  #entries(kind?: string): readonly IndexEntry[] {
    const prefix = kind === undefined ? 'live:' : toKey(kind, '')
    return [...this.#storage.kv.list({ prefix })].flatMap(([key, value]) => {
      if (!isJsonObject(value)) return []
      const { createdAt, aliveUntil } = value
      if (typeof createdAt !== 'number' || typeof aliveUntil !== 'number') return []
      return [{ key, objectId: key.slice(key.lastIndexOf(':') + 1), createdAt, aliveUntil }]
    })
  }
}

function toKey(kind: string, objectId: string): string {
  return `live:${kind}:${objectId}`
}
