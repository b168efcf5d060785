import type { Identified } from './identified-question.ts'

/** What `ask` asked in one request so far, by the answers that it was given. */
export type Words = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * Notes the questions that `ask` returned. Given the same answers it has to say the same, or no
 * answer would ever count.
 *
 * @throws {TypeError} when the words of a question changed; the message is for the author.
 */
export function checkWords(
  words: Words,
  standing: ReadonlyMap<string, { readonly digest: string }>,
  asked: readonly Identified[],
): Words {
  const given = Array.from(standing.values(), ({ digest }) => digest)
    .toSorted()
    .join()
  const before = words.get(given)
  if (before === undefined) {
    return new Map(words).set(given, new Map(asked.map(({ key, digest }) => [key, digest])))
  }
  const changed = asked.find(({ key, digest }) => (before.get(key) ?? digest) !== digest)
  if (changed === undefined) return words
  throw new TypeError(
    `\`ask\` words "${changed.key}" anew each time it runs, so that no answer to it can ever count. ` +
      'Keep what changes, such as a token or the time, with carry().',
  )
}
