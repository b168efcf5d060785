import { isJsonObject } from '../protocol/json.ts'

/** One handle of a caller, by the id of its object. */
export interface Indexed {
  readonly objectId: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

interface Entry extends Indexed {
  readonly key: string
  /** The handle lives at least until then, unless it was ended; after that it must be asked. */
  readonly aliveUntil: number
}

/** The least time between two sweeps. */
const sweepMs = 60_000

/** Asks a handle's object when it expires; `null` where it has. */
type Peek = (objectId: string) => Promise<number | null>

/**
 * The live handles of one caller, in an object of their own. A use does not tell the index, so an
 * entry is only sure for one idle time; then the handle itself is asked. That is also how an entry
 * goes whose end never reached the index.
 */
export class HandleIndex {
  readonly #storage: DurableObjectStorage
  readonly #peek: Peek

  constructor(storage: DurableObjectStorage, peek: Peek) {
    this.#storage = storage
    this.#peek = peek
  }

  /** Adds a handle that is about to be created, unless the caller has `limit` of its kind. */
  async admit(kind: string, objectId: string, aliveUntil: number, limit: number): Promise<boolean> {
    if (this.#entries(kind).length >= limit) await this.#heal(this.#entries(kind))
    const alarm = await this.#storage.getAlarm()
    // counted and written in one turn: two calls cannot both take the last place
    if (this.#entries(kind).length >= limit) return false
    this.#storage.kv.put(toKey(kind, objectId), { createdAt: Date.now(), aliveUntil })
    if (alarm === null) await this.#storage.setAlarm(aliveUntil)
    return true
  }

  leave(kind: string, objectId: string): void {
    const key = toKey(kind, objectId)
    // a delete counts as a written row even where there is nothing
    if (this.#storage.kv.get(key) !== undefined) this.#storage.kv.delete(key)
  }

  async list(kind: string): Promise<readonly Indexed[]> {
    await this.#heal(this.#entries(kind))
    return this.#entries(kind)
      .map(({ objectId, createdAt }) => ({ objectId, createdAt }))
      .toSorted((a, b) => a.createdAt - b.createdAt)
  }

  /** Drops what is gone, and the whole object with the last of it. */
  async alarm(): Promise<void> {
    if (this.#entries().length === 0) return
    await this.#heal(this.#entries())
    const times = this.#entries().map(({ aliveUntil }) => aliveUntil)
    if (times.length === 0) await this.#storage.deleteAll()
    // never at once: an alarm that sets itself into the past runs in a circle
    else await this.#storage.setAlarm(Math.max(Date.now() + sweepMs, ...times))
  }

  async #heal(entries: readonly Entry[]): Promise<void> {
    const now = Date.now()
    const doubtful = entries.filter(({ aliveUntil }) => aliveUntil <= now)
    await Promise.all(
      doubtful.map(async ({ key, objectId, createdAt, aliveUntil: told }) => {
        // one that cannot be asked now keeps its place until it can
        const aliveUntil = await this.#peek(objectId).catch(() => told)
        if (this.#storage.kv.get(key) === undefined || aliveUntil === told) return
        if (aliveUntil === null) this.#storage.kv.delete(key)
        else this.#storage.kv.put(key, { createdAt, aliveUntil })
      }),
    )
  }

  #entries(kind?: string): readonly Entry[] {
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
