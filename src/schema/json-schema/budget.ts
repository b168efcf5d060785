import type { Schema } from '@cfworker/json-schema'

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
  readonly #steps: number
  #left = 0
  #reserve = 0

  constructor(steps: number) {
    this.#steps = steps
  }

  /** Starts a check with some of the steps, or with all of them. The rest has to be granted. */
  refill(steps: number = this.#steps): void {
    this.#left = steps
    this.#reserve = this.#steps - steps
  }

  grant(steps: number): void {
    const granted = Math.min(steps, this.#reserve)
    this.#reserve -= granted
    this.#left += granted
  }

  /** @throws {BudgetExceeded} when no steps are left. */
  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new BudgetExceeded()
  }
}

/**
 * Creates an empty schema that calls `act` each time the validator applies it. The validator reads
 * every keyword once a visit, so a getter on an unused keyword is called once a visit.
 */
export function whenVisited(act: () => void): Schema {
  return Object.defineProperty({}, '$recursiveAnchor', { get: act })
}
