import { Budget, BudgetExceeded, longestMatched } from '../../schema/json-schema/pattern-guard.ts'
import {
  type RegexGroup,
  type RegexItem,
  type RegexSequence,
  readRegex,
} from '../../schema/json-schema/regex.ts'

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

const mostWords = 24
const mostPairs = 12
const mostRepeats = 8

/** A text that could keep a regular expression busy: a beginning, and what comes over and over. */
interface Attack {
  readonly prefix: string
  readonly pump: string
}

/**
 * Finds texts that a regular expression may read in many ways: what leads to each of its loops, and
 * then words that the loop reads, one or two in turn, over and over.
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
    const first = words.slice(0, mostPairs)
    const pairs = first.flatMap((one) => first.map((other) => one + other))
    return [...new Set([...words, ...pairs])].map((pump) => ({ prefix, pump }))
  }

  function wordsOfRound({ atom, group, isLook }: RegexItem): readonly string[] {
    if (isLook) return ['']
    if (atom === null) return wordsOfGroup(group)
    const letters = lettersOf(atom)
    return kinds.filter((letter) => letters.has(letter)).slice(0, mostWords)
  }

  function wordsOfItem(item: RegexItem): readonly string[] {
    const times = Math.min(Math.max(item.min, 1), mostRepeats)
    const words = wordsOfRound(item).map((word) => word.repeat(times))
    return item.min === 0 ? [...words, ''] : words
  }

  function wordsOfGroup(group: RegexGroup): readonly string[] {
    const each = Math.max(Math.ceil(mostWords / group.length), 2)
    return group.flatMap((sequence) => wordsOfSequence(sequence).slice(0, each)).slice(0, mostWords)
  }

  function wordsOfSequence(sequence: RegexSequence): readonly string[] {
    return sequence.reduce<readonly string[]>(
      (words, item) => {
        const next = wordsOfItem(item)
        return words.flatMap((word) => next.map((more) => word + more)).slice(0, mostWords)
      },
      [''],
    )
  }
}

/** The letters that an atom such as `[a-z]` takes, of those that stand for all. */
type LettersOf = (atom: string) => ReadonlySet<string>

// letters of many scripts stand for all: sets of characters are compared by what they take of these
const sample: readonly string[] = [
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code)),
  ...Array.from('αβΩяЖאעक中あア한€—\u2028😀🇩\u{e0041}'),
]

/** Tells sets of characters by the letters that stand for all, and those that the source names. */
function createLetters(source: string): LettersOf {
  const letters = [...new Set([...sample, ...Array.from(source)])]
  const flags = /\(\?[a-z]*i/.test(source) ? 'isu' : 'su'
  const known = new Map<string, ReadonlySet<string>>()
  return (atom) => {
    const before = known.get(atom)
    if (before !== undefined) return before
    const one = new RegExp(`^${atom}$`, flags)
    const taken = new Set(letters.filter((letter) => one.test(letter)))
    known.set(atom, taken)
    return taken
  }
}

/** Finds one letter of each kind: letters are of one kind if every atom takes both or neither. */
function toKinds(regex: RegexGroup, lettersOf: LettersOf): readonly string[] {
  const atoms = [...new Set(atomsOf(regex))].map(lettersOf)
  const letters = new Set(atoms.flatMap((taken) => [...taken]))
  const kinds = Map.groupBy(letters, (letter) => atoms.map((taken) => taken.has(letter)).join())
  return Array.from(kinds.values(), ([letter = '']) => letter)
}

function atomsOf(regex: RegexGroup): readonly string[] {
  return regex.flat().flatMap(({ atom, group }) => (atom === null ? atomsOf(group) : [atom]))
}

/** In how many ways a text can have been read up to an index, for each that can be reached at all. */
type Ways = ReadonlyMap<number, number>

/** A text to be read, and what reading it may cost. */
interface Reading {
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
function spendSteps(regex: RegexGroup, isAnchored: boolean, reading: Reading): void {
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
