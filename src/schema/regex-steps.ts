import type { Budget } from './budget.ts'
import type { LettersOf } from './regex-letters.ts'
import type { RegexGroup, RegexItem } from './regex-syntax.ts'

/** In how many ways a text can have been read up to an index, for each that can be reached at all. */
type Ways = ReadonlyMap<number, number>

/** A text to be read, and what reading it may cost. */
export interface Reading {
  readonly text: readonly string[]
  readonly lettersOf: LettersOf
  readonly budget: Budget
}

/**
 * Spends what a backtracking engine spends on a text that matches nowhere: a step for each way in
 * which it can come to try something. The ways are added up and not walked, so that a number of
 * steps beyond all bounds is soon known.
 *
 * @throws {BudgetExceeded} when it takes more steps than the budget has.
 */
export function spendSteps(regex: RegexGroup, isAnchored: boolean, reading: Reading): void {
  // without an anchor, the engine begins anew at each letter
  const starts = isAnchored ? [0] : reading.text.keys()
  readGroup(regex, new Map(Array.from(starts, (index) => [index, 1])), reading)
}

function readGroup(group: RegexGroup, ways: Ways, reading: Reading): Ways {
  const out = new Map<number, number>()
  for (const sequence of group) {
    reading.budget.spend(sum(ways))
    let at = ways
    for (const item of sequence) at = readItem(item, at, reading)
    add(out, at)
  }
  return out
}

function readItem(item: RegexItem, ways: Ways, reading: Reading): Ways {
  const { atom, min, max } = item
  const { length } = reading.text
  let at = ways
  // rounds beyond the end of the text change nothing that matters
  for (let round = 0; round < Math.min(min, length + 1) && at.size > 0; round++) {
    at = readOnce(item, at, reading)
  }
  if (atom !== null && max === Infinity) return readOn(atom, at, reading)
  const out = new Map(at)
  const empty = emptyWays(item)
  for (let round = min; round < max && at.size > 0; round++) {
    at = withoutEmpty(readOnce(item, at, reading), at, empty)
    add(out, at)
  }
  return out
}

/** A round that takes nothing ends a loop, so it leads nowhere. */
function withoutEmpty(read: Ways, before: Ways, empty: number): Ways {
  if (empty === 0) return read
  const moved = Array.from(read, ([index, way]) => {
    return [index, way - empty * (before.get(index) ?? 0)] as const
  })
  return new Map(moved.filter(([, way]) => way > 0))
}

function readOnce({ atom, group, isLook }: RegexItem, ways: Ways, reading: Reading): Ways {
  if (atom === null) {
    const read = readGroup(group, ways, reading)
    return isLook ? ways : read
  }
  reading.budget.spend(sum(ways))
  const letters = reading.lettersOf(atom)
  const out = new Map<number, number>()
  for (const [index, way] of ways) {
    if (letters.has(reading.text[index] ?? '')) out.set(index + 1, way)
  }
  return out
}

/** All rounds of an atom's endless loop at once. */
function readOn(atom: string, ways: Ways, { text, lettersOf, budget }: Reading): Ways {
  const letters = lettersOf(atom)
  const out = new Map(ways)
  for (const [index, letter] of text.entries()) {
    const way = out.get(index)
    if (way !== undefined && letters.has(letter))
      out.set(index + 1, (out.get(index + 1) ?? 0) + way)
  }
  budget.spend(sum(out))
  return out
}

/** In how many ways one round can take nothing. */
function emptyWays({ atom, group, isLook }: RegexItem): number {
  if (isLook) return 1
  if (atom !== null) return 0
  const each = group.map((sequence) =>
    sequence.reduce((ways, item) => ways * (item.min === 0 ? 1 : emptyWays(item) ** item.min), 1),
  )
  return each.reduce((total, ways) => total + ways, 0)
}

function sum(ways: Ways): number {
  let total = 0
  for (const way of ways.values()) total += way
  return total
}

function add(out: Map<number, number>, ways: Ways): void {
  for (const [index, way] of ways) out.set(index, (out.get(index) ?? 0) + way)
}
