import { toKinds, type LettersOf } from './regex-letters.ts'
import type { RegexGroup, RegexItem, RegexSequence } from './regex-syntax.ts'

const mostWords = 24
const mostPairs = 12
const mostRepeats = 8

/** A text that could keep a regular expression busy: a beginning, and what comes over and over. */
export interface Attack {
  readonly prefix: string
  readonly pump: string
}

/**
 * Finds texts that a regular expression may read in many ways: what leads to each of its loops, and
 * then words that the loop reads, one or two in turn, over and over.
 */
export function findAttacks(regex: RegexGroup, lettersOf: LettersOf): readonly Attack[] {
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
