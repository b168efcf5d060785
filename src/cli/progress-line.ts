import process from 'node:process'

/** Shows on one line of a terminal what is going on; shows nothing where nobody looks. */
export class ProgressLine {
  readonly #running = new Set<string>()
  readonly #isShown = process.stderr.isTTY

  /** Shows a name until the work ends. */
  async show<T>(name: string, work: Promise<T>): Promise<T> {
    this.#running.add(name)
    this.#print()
    try {
      return await work
    } finally {
      this.#running.delete(name)
      this.#print()
    }
  }

  #print(): void {
    if (!this.#isShown) return
    const text =
      this.#running.size === 0 ? '' : `helve: checking ${[...this.#running].join(', ')} ...`
    // back to the start of the line, and clear it
    process.stderr.write(`\r\u001B[K${text}`)
  }
}
