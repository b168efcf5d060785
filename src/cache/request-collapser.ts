/** How long a request waits for another one: workerd may have cancelled that one without a signal. */
const maxWaitMs = 30_000

/** How often a request waits for others, which may all fail, before it computes the value itself. */
const maxWaits = 2

/**
 * Computes a value once for all requests of an isolate that ask for it at the same time. The work
 * belongs to the request that began it, and `waitUntil` keeps it going after its client has left. The
 * value must be plain: in workerd a `Response` cannot be read by another request.
 */
export class RequestCollapser<Value> {
  readonly #isForAll: (value: Value) => boolean
  readonly #running = new Map<string, Promise<Value>>()

  /** A value for which `isForAll` is false is returned only to the request that computed it. */
  constructor(isForAll: (value: Value) => boolean = () => true) {
    this.#isForAll = isForAll
  }

  async run(
    key: string,
    waitUntil: (work: Promise<unknown>) => void,
    compute: () => Promise<Value>,
  ): Promise<Value> {
    for (let waits = 0; waits < maxWaits; waits += 1) {
      const other = this.#running.get(key)
      if (other === undefined) return this.#begin(key, waitUntil, compute)
      // one after another: a request that waited in vain may be the next to compute it for all
      // oxlint-disable-next-line no-await-in-loop
      const value = await waitFor(other)
      if (value !== null && this.#isForAll(value)) return value
      this.#forget(key, other)
    }
    return compute()
  }

  #begin(
    key: string,
    waitUntil: (work: Promise<unknown>) => void,
    compute: () => Promise<Value>,
  ): Promise<Value> {
    const own: Promise<Value> = compute().finally(() => this.#forget(key, own))
    this.#running.set(key, own)
    waitUntil(own.catch(() => {}))
    return own
  }

  #forget(key: string, work: Promise<Value>): void {
    if (this.#running.get(key) === work) this.#running.delete(key)
  }
}

/**
 * Waits for the value of another request; `null` if that fails or takes too long. The timer also keeps
 * this request alive: workerd cancels a request that waits for nothing of its own.
 */
async function waitFor<Value>(other: Promise<Value>): Promise<Value | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), maxWaitMs)
  try {
    return await Promise.race([other.catch(() => null), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
