/** A map that forgets what was put into it first once it holds more than `size` entries. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  /** The value of a key, made and kept where there is none. */
  getOrMake(key: Key, make: () => Value): Value {
    const found = this.#entries.get(key)
    if (found !== undefined) return found
    const made = make()
    this.#entries.set(key, made)
    if (this.#entries.size > this.#size) {
      const [oldest] = this.#entries.keys()
      if (oldest !== undefined) this.#entries.delete(oldest)
    }
    return made
  }
}
