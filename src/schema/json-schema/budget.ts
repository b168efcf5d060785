export class BudgetExceeded extends Error {}

/**
 * How many steps one check may take. Steps and not milliseconds, because the clock of a Worker
 * stands still while code runs.
 */
export class Budget {
  readonly #steps: number
  #left = 0

  constructor(steps: number) {
    this.#steps = steps
  }

  refill(): void {
    this.#left = this.#steps
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
