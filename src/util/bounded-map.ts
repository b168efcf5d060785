/** A map of at most `size` entries, which removes the oldest one first. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#size) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  /** Returns the value of a key, which `make` creates if the map has none. */
  getOrMake(key: Key, make: () => Value): Value {
    const found = this.#entries.get(key)
    if (found !== undefined) return found
    const made = make()
    this.set(key, made)
    return made
  }
}
