import { BoundedMap } from '../../util/bounded-map.ts'

const maxCalls = 4_096

/**
 * Characters of a session and a request id that are remembered. A client could fill the memory with
 * longer ones; a call with such an id is reached through the object of its session.
 */
const maxKeyLength = 1_024

/**
 * The calls that clients have cancelled, and those that run, in the memory of the isolate: values
 * only, because an AbortController of another request cannot be used in workerd.
 */
export class CancelledCalls {
  /** When each call was cancelled, in milliseconds since 1970. */
  readonly #cancelled = new BoundedMap<string, number>(maxCalls)
  readonly #running = new BoundedMap<string, true>(maxCalls)

  begin(key: string): void {
    if (key.length <= maxKeyLength) this.#running.set(key, true)
  }

  end(key: string): void {
    this.#running.delete(key)
  }

  /** Notes a cancellation, and returns whether its call runs in this isolate. */
  cancel(key: string): boolean {
    if (key.length <= maxKeyLength) this.#cancelled.set(key, Date.now())
    return this.#running.get(key) === true
  }

  /** Whether the call was cancelled after it began: some clients use the same id again. */
  isCancelled(key: string, began: number): boolean {
    return (this.#cancelled.get(key) ?? 0) >= began
  }
}
