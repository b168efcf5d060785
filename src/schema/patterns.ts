import { isCatastrophic } from './regex-safety.ts'

/** Finds the regular expressions that the engine refuses, or that could keep it busy for ages. */
export function findPatternProblems(sources: readonly string[]): readonly string[] {
  return sources.flatMap((source) => {
    try {
      // the flag under which JSON Schema's patterns are matched
      RegExp(source, 'u')
    } catch (error) {
      return [`The pattern ${source} is not valid: ${String(error)}.`]
    }
    if (!isCatastrophic(source)) return []
    return [
      `The pattern ${source} repeats a part that can match the same text in several ways, which ` +
        'takes exponential time on hostile input. Repeat one part only, or put a separator between.',
    ]
  })
}
