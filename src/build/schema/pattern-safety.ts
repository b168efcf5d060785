import { Budget, BudgetExceeded } from '../../schema/json-schema/budget.ts'
import {
  type RegexGroup,
  type RegexItem,
  type RegexSequence,
  longestMatched,
  readRegex,
} from '../../schema/json-schema/pattern-guard.ts'

const maxSteps = 50_000_000

// validators print the same pattern many times, such as for each e-mail address
const results = new Map<string, boolean>()

/**
 * Returns whether a text of the longest matched length could take longer to match than a request
 * should. Texts that repeat the loops of the expression are tried: they find repetitions in a
 * repetition, such as `(a+)+`, alternatives that overlap, such as `(ab|a|b)*`, and too many loops over
 * the same letters, such as `.*.*.*.*x`.
 */
export function isCatastrophic(source: string): boolean {
  const known = results.get(source)
  if (known !== undefined) return known
  const result = hasAttack(source)
  results.set(source, result)
  return result
}

function hasAttack(source: string): boolean {
  const regex = readRegex(source)
  const isAnchored = source.startsWith('^') && regex.length === 1
  const lettersOf = createLetters(source)
  const budget = new Budget()
  return findAttacks(regex, lettersOf).some((attack) => {
    budget.refill(maxSteps)
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

const maxWords = 24
const maxPairs = 12
const maxRepeats = 8

/** A text that could be slow to match: a beginning, and a part that is repeated. */
interface Attack {
  readonly prefix: string
  readonly pump: string
}

/**
 * Finds texts that a regular expression may read in many ways: a beginning that leads to one of its
 * loops, then one or two words of the loop, repeated.
 */
function findAttacks(regex: RegexGroup, lettersOf: LettersOf): readonly Attack[] {
  const kinds = toKinds(regex, lettersOf)
  const whole = wordsOfGroup(regex).map((pump) => ({ prefix: '', pump }))
  return [...whole, ...attacksOnGroup(regex, '')].filter(({ pump }) => pump !== '')

  function attacksOnGroup(group: RegexGroup, prefix: string): readonly Attack[] {
    return group.flatMap((sequence) => attacksOnSequence(sequence, prefix))
  }

  function attacksOnSequence(sequence: RegexSequence, start: string): readonly Attack[] {
    let prefix = start
    return sequence.flatMap((item) => {
      const found = [...attacksOnLoop(item, prefix), ...attacksOnGroup(item.group, prefix)]
      if (!item.isLook && item.min > 0) prefix += wordsOfItem(item)[0] ?? ''
      return found
    })
  }

  function attacksOnLoop(item: RegexItem, prefix: string): readonly Attack[] {
    if (item.max <= 1) return []
    const words = wordsOfRound(item)
    const first = words.slice(0, maxPairs)
    const pairs = first.flatMap((one) => first.map((other) => one + other))
    return [...new Set([...words, ...pairs])].map((pump) => ({ prefix, pump }))
  }

  function wordsOfRound({ atom, group, isLook }: RegexItem): readonly string[] {
    if (isLook) return ['']
    if (atom === null) return wordsOfGroup(group)
    const letters = lettersOf(atom)
    return kinds.filter((letter) => letters.has(letter)).slice(0, maxWords)
  }

  function wordsOfItem(item: RegexItem): readonly string[] {
    const times = Math.min(Math.max(item.min, 1), maxRepeats)
    const words = wordsOfRound(item).map((word) => word.repeat(times))
    return item.min === 0 ? [...words, ''] : words
  }

  function wordsOfGroup(group: RegexGroup): readonly string[] {
    const each = Math.max(Math.ceil(maxWords / group.length), 2)
    return group.flatMap((sequence) => wordsOfSequence(sequence).slice(0, each)).slice(0, maxWords)
  }

  function wordsOfSequence(sequence: RegexSequence): readonly string[] {
    return sequence.reduce<readonly string[]>(
      (words, item) => {
        const next = wordsOfItem(item)
        return words.flatMap((word) => next.map((more) => word + more)).slice(0, maxWords)
      },
      [''],
    )
  }
}

/** Returns the letters of the sample that an atom such as `[a-z]` matches. */
type LettersOf = (atom: string) => ReadonlySet<string>

// letters of many scripts, which represent all characters when two atoms are compared
const sample: readonly string[] = [
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code)),
  ...Array.from('αβΩяЖאעक中あア한€—\u2028😀🇩\u{e0041}'),
]

/** The sample also contains the letters of the source. */
function createLetters(source: string): LettersOf {
  const letters = [...new Set([...sample, ...Array.from(source)])]
  const flags = /\(\?[a-z]*i/.test(source) ? 'isu' : 'su'
  const byAtom = new Map<string, ReadonlySet<string>>()
  return (atom) => {
    const known = byAtom.get(atom)
    if (known !== undefined) return known
    const regex = new RegExp(`^${atom}$`, flags)
    const matched = new Set(letters.filter((letter) => regex.test(letter)))
    byAtom.set(atom, matched)
    return matched
  }
}

/** Returns one letter of each kind. Two letters are of one kind if every atom matches both or neither. */
function toKinds(regex: RegexGroup, lettersOf: LettersOf): readonly string[] {
  const atoms = [...new Set(atomsOf(regex))].map(lettersOf)
  const letters = new Set(atoms.flatMap((matched) => [...matched]))
  const kinds = Map.groupBy(letters, (letter) => atoms.map((atom) => atom.has(letter)).join())
  return Array.from(kinds.values(), ([letter = '']) => letter)
}

function atomsOf(regex: RegexGroup): readonly string[] {
  return regex.flat().flatMap(({ atom, group }) => (atom === null ? atomsOf(group) : [atom]))
}

/** For each index of a text that can be reached: the number of ways to read the text up to it. */
type Ways = ReadonlyMap<number, number>

interface Reading {
  readonly text: readonly string[]
  readonly lettersOf: LettersOf
  readonly budget: Budget
}

/**
 * Spends the steps that a backtracking engine needs for a text that does not match: one for each way to
 * reach each attempt. The ways are added up instead of walked, so that even an enormous number of steps
 * is known quickly.
 *
 * @throws {BudgetExceeded} when the engine needs more steps than the budget has.
 */
function spendSteps(regex: RegexGroup, isAnchored: boolean, reading: Reading): void {
  // without an anchor, the engine starts again at each letter
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
  // further rounds than the text has letters make no difference
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

/** A round that reads no letters ends its loop. */
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

/** Reads all rounds of an atom's unbounded loop at once. */
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

/** Returns the number of ways in which one round can read no letters. */
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
