/** Applies `next` synchronously unless the value is a promise, which saves microtasks. */
export function mapSync<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Turns of the microtask queue after which work that waits for nothing outside is surely over. */
const turns = 32

/**
 * Tells whether work ends without waiting for anything outside. Most work does, and a few turns of
 * the microtask queue cost workerd less than a timer that is set and cleared for nothing.
 */
export async function endsQuickly(work: Promise<unknown>): Promise<boolean> {
  const watched = { isOver: false }
  const end = (): void => {
    watched.isOver = true
  }
  work.then(end, end)
  const turn = Promise.resolve()
  for (let count = 0; count < turns && !watched.isOver; count += 1) {
    // one at a time is the point: each gives the work its turn
    // oxlint-disable-next-line no-await-in-loop
    await turn
  }
  return watched.isOver
}
