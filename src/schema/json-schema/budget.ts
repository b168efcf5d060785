/** Thrown when a check would take too long. The sender reads the message. */
export class BudgetExceeded extends Error {
  constructor() {
    super('The value is too large or too deeply nested to check. Send less at once.')
  }
}

/**
 * How many steps one check may take. Steps and not milliseconds, because the clock of a Worker
 * stands still while code runs.
 */
export class Budget {
  #left = 0

  refill(steps: number): void {
    this.#left = steps
  }

  /** @throws {BudgetExceeded} when no steps are left. */
  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new BudgetExceeded()
  }

  /** Spends what it costs to read a text once. */
  spendOnText(text: string): void {
    this.spend(text.length >> 6)
  }
}
