import { Budget, BudgetExceeded } from './budget.ts'
import { longestMatched } from './pattern-guard.ts'
import { findAttacks, type Attack } from './regex-attacks.ts'
import { createLetters } from './regex-letters.ts'
import { spendSteps } from './regex-steps.ts'
import { readRegex } from './regex-syntax.ts'

/** About a quarter of a second. */
const mostSteps = 50_000_000

// a validator prints one pattern for every e-mail address of a project
const known = new Map<string, boolean>()

/**
 * Tells whether a text as long as one may be could keep a regular expression busy for longer than a
 * request should take. It tries texts that go over and over its loops, which finds what is repeated
 * in a repetition, such as `(a+)+`, alternatives that overlap, such as `(ab|a|b)*`, and too many
 * loops over the same letters, such as `.*.*.*.*x`.
 */
export function isCatastrophic(source: string): boolean {
  const before = known.get(source)
  if (before !== undefined) return before
  const found = hasAttack(source)
  known.set(source, found)
  return found
}

function hasAttack(source: string): boolean {
  const regex = readRegex(source)
  const isAnchored = source.startsWith('^') && regex.length === 1
  const lettersOf = createLetters(source)
  const budget = new Budget(mostSteps)
  return findAttacks(regex, lettersOf).some((attack) => {
    budget.refill()
    try {
      spendSteps(regex, isAnchored, { text: toText(attack), lettersOf, budget })
      return false
    } catch (error) {
      if (error instanceof BudgetExceeded) return true
      throw error
    }
  })
}

function toText({ prefix, pump }: Attack): readonly string[] {
  const text = Array.from(prefix + pump.repeat(longestMatched))
  return text.slice(0, longestMatched)
}
