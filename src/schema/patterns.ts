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
      `The pattern ${source} repeats what can match the same text in several ways, so that hostile ` +
        'input keeps it busy for seconds or for ever. Repeat one part only, put a separator between ' +
        'two, or begin with ^.',
    ]
  })
}
