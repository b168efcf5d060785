import { BoundedMap } from '../../util/bounded-map.ts'

const maxCalls = 4_096

/**
 * Characters of a session and a request id that are remembered. A client could fill the memory with
 * longer ones; a call with such an id is reached through the object of its session, as is one whose
 * cancellation arrives before it runs.
 */
const maxKeyLength = 1_024

/**
 * The calls that run, and which of them clients have cancelled, in the memory of the isolate: values
 * only, because an AbortController of another request cannot be used in workerd. A cancellation of
 * anything else is not remembered here, or one client could fill the memory with ids that it makes
 * up, and displace the cancellations of others.
 */
export class CancelledCalls {
  /** When each call was cancelled, in milliseconds since 1970; 0 if it was not. */
  readonly #running = new BoundedMap<string, number>(maxCalls)

  begin(key: string): void {
    if (key.length <= maxKeyLength) this.#running.set(key, this.#running.get(key) ?? 0)
  }

  end(key: string): void {
    this.#running.delete(key)
  }

  /** Notes a cancellation, and returns whether its call runs in this isolate. */
  cancel(key: string): boolean {
    if (this.#running.get(key) === undefined) return false
    this.#running.set(key, Date.now())
    return true
  }

  /** Whether the call was cancelled after it began: some clients use the same id again. */
  isCancelled(key: string, began: number): boolean {
    return (this.#running.get(key) ?? 0) >= began
  }
}
