import type { RegexGroup } from './regex-syntax.ts'

/** The letters that an atom such as `[a-z]` takes, of those that stand for all. */
export type LettersOf = (atom: string) => ReadonlySet<string>

// letters of many scripts stand for all: sets of characters are compared by what they take of these
const sample: readonly string[] = [
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCodePoint(code)),
  ...Array.from('αβΩяЖאעक中あア한€—\u2028😀🇩\u{e0041}'),
]

/** Tells sets of characters by the letters that stand for all, and those that the source names. */
export function createLetters(source: string): LettersOf {
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
export function toKinds(regex: RegexGroup, lettersOf: LettersOf): readonly string[] {
  const atoms = [...new Set(atomsOf(regex))].map(lettersOf)
  const letters = new Set(atoms.flatMap((taken) => [...taken]))
  const kinds = Map.groupBy(letters, (letter) => atoms.map((taken) => taken.has(letter)).join())
  return Array.from(kinds.values(), ([letter = '']) => letter)
}

function atomsOf(regex: RegexGroup): readonly string[] {
  return regex.flat().flatMap(({ atom, group }) => (atom === null ? atomsOf(group) : [atom]))
}
