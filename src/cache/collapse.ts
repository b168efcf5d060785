/** Has work done once for all who ask for the same while it is under way. */
export type Collapse<Value> = (
  key: string,
  waitUntil: (work: Promise<unknown>) => void,
  work: () => Promise<Value>,
) => Promise<Value>

/** How long somebody waits for the work of another request before doing it alone. */
const patienceMs = 30_000

/**
 * Makes a {@link Collapse} for one isolate. The work belongs to the request that began it, and outlives
 * its client by `waitUntil`. Whoever waits keeps a timer, since workerd takes a request that waits for
 * nothing of its own for hung; and what they share must be a plain value, as a `Response` cannot be
 * read by another request.
 */
export function createCollapse<Value>(): Collapse<Value> {
  const running = new Map<string, Promise<Value>>()
  return async (key, waitUntil, work) => {
    const other = running.get(key)
    if (other !== undefined) return (await waitFor(other)) ?? work()
    const own = work().finally(() => running.delete(key))
    running.set(key, own)
    waitUntil(own.catch(() => {}))
    return own
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
