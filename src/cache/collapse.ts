/** Has work done once for all who ask for the same while it is under way. */
export type Collapse<Value> = (
  key: string,
  waitUntil: (work: Promise<unknown>) => void,
  work: () => Promise<Value>,
) => Promise<Value>

/** How long somebody waits for the work of another request: it may have been cut off without a word. */
const patienceMs = 30_000

/** How often somebody waits for others, who may all fail, before doing the work alone. */
const patience = 2

/**
 * Makes a {@link Collapse} for one isolate; what is not `isForAll` is for those alone who had it made.
 * The work belongs to the request that began it, and outlives its client by `waitUntil`. Whoever waits
 * keeps a timer, since workerd takes a request that waits for nothing of its own for hung; and what
 * they share must be a plain value, as a `Response` cannot be read by another request.
 */
export function createCollapse<Value>(
  isForAll: (value: Value) => boolean = () => true,
): Collapse<Value> {
  const running = new Map<string, Promise<Value>>()
  const forget = (key: string, work: Promise<Value> | undefined): void => {
    if (running.get(key) === work) running.delete(key)
  }
  return async (key, waitUntil, work) => {
    for (let waits = 0; waits < patience; waits += 1) {
      const other = running.get(key)
      if (other === undefined) {
        const own: Promise<Value> = work().finally(() => forget(key, own))
        running.set(key, own)
        waitUntil(own.catch(() => {}))
        return own
      }
      // one after another: whoever waited in vain may be the next to do it for all
      // oxlint-disable-next-line no-await-in-loop
      const value = await waitFor(other)
      if (value !== null && isForAll(value)) return value
      forget(key, other)
    }
    return work()
  }
}

/** The value of another's work, or `null` where it failed or takes too long. */
async function waitFor<Value>(other: Promise<Value>): Promise<Value | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), patienceMs)
  try {
    return await Promise.race([other.catch(() => null), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
