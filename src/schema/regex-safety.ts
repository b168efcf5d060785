import { readRegex, type RegexGroup, type RegexItem, type RegexSequence } from './regex-syntax.ts'

const manyTimes = 10
const mostVariants = 256

/**
 * Tells whether a regular expression could try exponentially many ways to fail: where something is
 * repeated whose inside is repeated too, such as `(a+)+`, or whose alternatives overlap, such as
 * `(a|a)*`, with nothing between the rounds that only marks their border.
 */
export function isCatastrophic(source: string): boolean {
  return hasAmbiguousLoop(readRegex(source))
}

function hasAmbiguousLoop(group: RegexGroup): boolean {
  return group.flat().some((item) => {
    if (item.atom !== null) return false
    return (isLoop(item) && isAmbiguous(item.group)) || hasAmbiguousLoop(item.group)
  })
}

function isLoop({ min, max }: RegexItem): boolean {
  return max > manyTimes && max > min
}

function isAmbiguous(body: RegexGroup): boolean {
  const variants = body.flatMap(toVariants).slice(0, mostVariants)
  if (variants.some(canTakeAll)) return true
  const letters = variants.map(lettersOfSingle).filter((single) => single !== null)
  if (letters.some((one, index) => letters.slice(index + 1).some((other) => overlap(one, other)))) {
    return true
  }
  // `a|b|ab`: two rounds of one letter read the same as one round of two
  const all = unite(letters)
  return variants.some((variant) => {
    const needed = variant.filter(({ min }) => min > 0)
    const isLonger = needed.length > 0 && lettersOfSingle(variant) === null
    return isLonger && needed.every((item) => overlap(lettersOf(item), all))
  })
}

/** Writes out the optional and plain groups of a sequence: `a(b|c)?` is `a`, `ab` and `ac`. */
function toVariants(sequence: RegexSequence): readonly RegexSequence[] {
  let variants: readonly RegexSequence[] = [[]]
  for (const item of sequence) {
    const inside = item.atom === null && item.max === 1 ? item.group.flatMap(toVariants) : [[item]]
    const choices =
      item.atom === null && item.max === 1 && item.min === 0 ? [[], ...inside] : inside
    variants = variants
      .flatMap((variant) => choices.map((choice) => variant.concat(choice)))
      .slice(0, mostVariants)
  }
  return variants
}

/** Tells whether one repeated part could take in whatever else the sequence needs. */
function canTakeAll(variant: RegexSequence): boolean {
  return variant.some((taker, index) => {
    if (!isLoop(taker)) return false
    const letters = lettersOf(taker)
    const rest = variant.filter(({ min }, other) => other !== index && min > 0)
    return rest.every((item) => overlap(letters, lettersOf(item)))
  })
}

// letters of many scripts stand for all: sets of characters are compared by what they take of these
const sample: readonly string[] = [
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code)),
  ...Array.from('αβΩяЖאעक中あア한€—\u2028😀🇩\u{e0041}'),
]

/** The letters that one round of an item may be; `null` where a round is more than a letter. */
function lettersOf(item: RegexItem): ReadonlySet<string> | null {
  if (item.atom === null) {
    const each = item.group.map(lettersOfSingle).filter((letters) => letters !== null)
    return each.length === item.group.length ? unite(each) : null
  }
  const one = new RegExp(`^${item.atom}$`, 'su')
  return new Set(sample.filter((letter) => one.test(letter)))
}

function lettersOfSingle([item, ...others]: RegexSequence): ReadonlySet<string> | null {
  const isOnce = item !== undefined && others.length === 0 && item.min <= 1 && item.max === 1
  return isOnce ? lettersOf(item) : null
}

function unite(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => Array.from(set)))
}

function overlap(one: ReadonlySet<string> | null, other: ReadonlySet<string> | null): boolean {
  return one !== null && other !== null && [...one].some((letter) => other.has(letter))
}
