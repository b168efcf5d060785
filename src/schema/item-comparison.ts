import type { Schema } from '@cfworker/json-schema'
import { toCanonicalJson } from '../kit/canonical-json.ts'
import type { Budget } from './budget.ts'
import { whenVisited } from './when-visited.ts'

/**
 * Answers `uniqueItems` in one look at each item, where the validator compares every item with every
 * other. An array that holds an item twice is shown to it as two equal items, any other as empty.
 */
export class ItemComparison {
  readonly #budget: Budget
  #isNext = false
  #equal = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** A schema that asks this and nothing else: what is read next is the length, to compare items. */
  createSchema(): Schema {
    const schema = whenVisited(() => {
      this.#isNext = true
    })
    return { if: { not: { type: 'array' } }, else: Object.assign(schema, { uniqueItems: true }) }
  }

  /** What is shown for what is read of an object; `undefined` while no items are compared. */
  show(target: object): number | null | undefined {
    if (this.#equal > 0) {
      this.#equal--
      return null
    }
    if (!this.#isNext || !Array.isArray(target)) return undefined
    this.#isNext = false
    this.#equal = this.#holdsTwice(target) ? 2 : 0
    return this.#equal
  }

  #holdsTwice(items: readonly unknown[]): boolean {
    const seen = new Set<string>()
    return items.some((item) => {
      const json = toCanonicalJson(item)
      this.#budget.spend(2 + Math.floor(json.length / 8))
      return seen.size === seen.add(json).size
    })
  }
}
