/** Applies `next` synchronously unless the value is a promise, which saves microtasks. */
export function mapSync<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Work without I/O is certainly over after this many turns of the microtask queue. */
const turns = 32

/**
 * Whether work settles without I/O, be it with an error. Most work does, and a few turns of the microtask
 * queue cost workerd less than setting and clearing a timer.
 */
export async function endsQuickly(work: Promise<unknown>): Promise<boolean> {
  const watched = { isOver: false }
  const end = (): void => {
    watched.isOver = true
  }
  work.then(end, end)
  const turn = Promise.resolve()
  for (let count = 0; count < turns && !watched.isOver; count += 1) {
    // one after the other: each turn lets the work continue
    // oxlint-disable-next-line no-await-in-loop
    await turn
  }
  return watched.isOver
}
