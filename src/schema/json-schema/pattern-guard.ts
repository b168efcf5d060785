import type { Schema } from '@cfworker/json-schema'
import { type Budget, whenVisited } from './budget.ts'
import { type RegexItem, readRegex } from './regex.ts'

/** The longest text, in characters, that a pattern is matched against if it may read it repeatedly. */
export const longestMatched = 500

const shortText = 64
const maxNarrowChoices = 3
const matchesPerStep = 1_000

/** Thrown when a text is too long for its pattern. The sender reads the message. */
export class TextTooLong extends Error {}

/**
 * Creates a schema that is applied before a pattern. The time of a match grows with a power of the
 * text's length for each loop that can share its letters with another, and a match cannot be stopped.
 * So a match spends its steps in advance, and a text of more than 500 characters is matched only by
 * patterns that certainly read it once. Returns `null` for such a pattern.
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
      { if: { maxLength: shortText }, else: pay(longestMatched) },
      pay(shortText),
    ],
  }
}

/** Returns the power of a text's length by which its match may grow; 3 stands for more as well. */
function powerOf(pattern: string): number {
  const regex = readRegex(pattern)
  const choices = regex.flat().flatMap(choicesOf)
  if (choices.length === 0) return 1
  const wide = choices.filter((choice) => choice === 'wide').length
  const loops = choices.length - wide > maxNarrowChoices ? Math.max(wide, 2) : wide
  // without an anchor, the engine starts again at each letter
  const isAnchored = pattern.startsWith('^') && regex.length === 1
  return Math.min(isAnchored ? loops : Math.max(loops, 1) + 1, 3)
}

/** Lists the choices of an item: narrow ones have a few ways, wide ones grow with the text. */
function choicesOf({ atom, group, min, max, isLook }: RegexItem): readonly ('narrow' | 'wide')[] {
  const inside = group.flat().flatMap(choicesOf)
  const spread = max - min
  if (atom !== null) return spread === 0 ? [] : [spread <= maxNarrowChoices ? 'narrow' : 'wide']
  if (max > 1 && (spread > 0 || inside.length > 0 || group.length > 1))
    return ['wide', 'wide', ...inside]
  const own = spread > 0 || group.length > 1 || isLook ? (['narrow'] as const) : []
  return [...own, ...inside]
}

/** Returns the number of ways to divide a text among the loops, in steps of the budget. */
function priceOf(length: number, power: number): number {
  const ways = power === 2 ? length ** 2 / 2 : length ** 3 / 6
  return Math.ceil(ways / matchesPerStep)
}
