/** A resource that a session subscribed to. */
export interface SessionSubscription {
  /** As the client wrote it, since it knows no other spelling. */
  readonly uri: string
  /** The URI that updates of the resource are published under. */
  readonly key: string
}

export interface ActiveSession {
  readonly kind: 'active'
  /** Counts the changes; 0 for a session that never subscribed. */
  readonly version: number
  readonly subscriptions: readonly SessionSubscription[]
}

/** What an object of the class `Bridge` knows of its session. The client may have ended it. */
export type SessionState = ActiveSession | { readonly kind: 'ended' }

/** The reply to a change; `full` if the session has too many subscriptions by it, or too long ones. */
export type SessionReply = SessionState | { readonly kind: 'full' }

interface StoredRecord {
  readonly version: number
  readonly subscriptions: readonly SessionSubscription[]
  readonly isEnded: boolean
  /** Milliseconds since 1970 when the session's age limit is reached, and everything is deleted. */
  readonly until: number
}

const recordKey = 'session'

export const maxSubscriptions = 100

/**
 * Bytes of the keys of all subscriptions as JSON in ASCII: they are part of the text of the session's
 * listener in the hub, which is limited.
 */
export const maxSubscriptionBytes = 12_000

/**
 * What one session has subscribed to, or that it has ended. Nothing is written until then: looking at
 * a session that never did either must not create storage.
 */
export class StoredSession {
  readonly #storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  read(): SessionState {
    const record = this.#find()
    if (record === null) return { kind: 'active', version: 0, subscriptions: [] }
    if (record.isEnded) return { kind: 'ended' }
    const { version, subscriptions } = record
    return { kind: 'active', version, subscriptions }
  }

  subscribe(subscription: SessionSubscription, until: number): Promise<SessionReply> {
    return this.#change(until, (subscriptions) => [
      ...subscriptions.filter(({ uri }) => uri !== subscription.uri),
      subscription,
    ])
  }

  async unsubscribe(uri: string, until: number): Promise<SessionReply> {
    if (this.#find() === null) return this.read()
    return this.#change(until, (subscriptions) => subscriptions.filter((one) => one.uri !== uri))
  }

  /** Ends the session: its id is refused until nothing could use it any more. */
  async end(until: number): Promise<void> {
    const version = (this.#find()?.version ?? 0) + 1
    await this.#put({ version, subscriptions: [], isEnded: true, until })
  }

  /** Deletes what is over. It may fire late, twice or needlessly. */
  async alarm(): Promise<void> {
    const record = this.#storage.kv.get<StoredRecord>(recordKey)
    if (record === undefined) return
    if (record.until <= Date.now()) await this.#storage.deleteAll()
    else await this.#storage.setAlarm(record.until)
  }

  async #change(
    until: number,
    change: (subscriptions: readonly SessionSubscription[]) => readonly SessionSubscription[],
  ): Promise<SessionReply> {
    const { version = 0, subscriptions = [], isEnded = false } = this.#find() ?? {}
    if (isEnded) return { kind: 'ended' }
    const changed = change(subscriptions)
    if (isTooMuch(changed)) return { kind: 'full' }
    await this.#put({ version: version + 1, subscriptions: changed, isEnded, until })
    return this.read()
  }

  async #put(record: StoredRecord): Promise<void> {
    const isFirst = this.#find() === null
    this.#storage.kv.put(recordKey, record)
    // in the same write, without an await between the two
    if (isFirst) await this.#storage.setAlarm(record.until)
  }

  #find(): StoredRecord | null {
    const record = this.#storage.kv.get<StoredRecord>(recordKey)
    return record === undefined || record.until <= Date.now() ? null : record
  }
}

function isTooMuch(subscriptions: readonly SessionSubscription[]): boolean {
  if (subscriptions.length > maxSubscriptions) return true
  const keys = JSON.stringify(subscriptions.map(({ key }) => key))
  // in a listener's text each of these characters is written as six
  const escaped = keys.match(/[\u007f-\uffff]/g)?.length ?? 0
  return keys.length + escaped * 5 > maxSubscriptionBytes
}
