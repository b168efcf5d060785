import type { Schema } from '@cfworker/json-schema'
import { whenVisited } from './compile.ts'
import { type RegexItem, readRegex } from './regex.ts'

/** How many characters a text may have to be matched by a pattern that may read it several times. */
export const longestMatched = 500

const short = 64
const mostNarrow = 3
const stepsTogether = 1_000

/** Ends a check whose text is too long for its pattern. The message is for the sender. */
export class TextTooLong extends Error {}

/**
 * Makes a schema to stand before a pattern. The engine's time grows with a power of the length for
 * each loop that may share its letters with another, and nothing stops it once it has begun: so a
 * match is paid for beforehand, and a text of more than 500 characters is matched by those patterns
 * alone that surely read it once. `null` for such a pattern.
 */
export function createPatternGuard(pattern: string, budget: Budget): Schema | null {
  const power = powerOf(pattern)
  if (power <= 1) return null
  const pay = (length: number): Schema => whenVisited(() => budget.spend(priceOf(length, power)))
  const refuse = whenVisited(() => {
    throw new TextTooLong(
      `A text of more than ${longestMatched} characters cannot be matched against ${pattern}. ` +
        'Shorten it.',
    )
  })
  return {
    allOf: [
      { if: { maxLength: longestMatched }, else: refuse },
      { if: { maxLength: short }, else: pay(longestMatched) },
      pay(short),
    ],
  }
}

/** The power of a text's length by which matching it may grow; 3 stands for more as well. */
function powerOf(pattern: string): number {
  const regex = readRegex(pattern)
  const choices = regex.flat().flatMap(choicesOf)
  if (choices.length === 0) return 1
  const wide = choices.filter((choice) => choice === 'wide').length
  const loops = choices.length - wide > mostNarrow ? Math.max(wide, 2) : wide
  // without an anchor, the engine begins anew at each letter
  const isAnchored = pattern.startsWith('^') && regex.length === 1
  return Math.min(isAnchored ? loops : Math.max(loops, 1) + 1, 3)
}

/** Where an item leaves a choice: a narrow one is between a few ways, a wide one grows with the text. */
function choicesOf({ atom, group, min, max, isLook }: RegexItem): readonly ('narrow' | 'wide')[] {
  const inside = group.flat().flatMap(choicesOf)
  const spread = max - min
  if (atom !== null) return spread === 0 ? [] : [spread <= mostNarrow ? 'narrow' : 'wide']
  if (max > 1 && (spread > 0 || inside.length > 0 || group.length > 1))
    return ['wide', 'wide', ...inside]
  const own = spread > 0 || group.length > 1 || isLook ? (['narrow'] as const) : []
  return [...own, ...inside]
}

/** The ways to share a text out among so many loops, in steps of the budget. */
function priceOf(length: number, power: number): number {
  const ways = power === 2 ? length ** 2 / 2 : length ** 3 / 6
  return Math.ceil(ways / stepsTogether)
}

/** Ends a check that would take too long. */
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

  /** @throws {BudgetExceeded} when more is spent than there is. */
  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new BudgetExceeded()
  }
}
